import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import { listTools } from './tools.service.ts';

export function toolsRoutes() {
  return new Hono<AppEnv>().get('/', requires('user'), (c) => c.json({ tools: listTools() }));
}
