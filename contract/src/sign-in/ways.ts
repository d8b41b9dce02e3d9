import { z } from 'zod';
import { instant } from '../ids.ts';

/** What opens an account beside its password, or shows what is in it. */
export const wayKind = z.enum(['passkey', 'provider', 'two_factor', 'api_key', 'tool_server', 'link']);
export type WayKind = z.infer<typeof wayKind>;

/** `name` is the person's own word for it, or the provider's id; `addedAt` is null for a second factor from before that was noted. */
export const way = z.object({ id: z.string(), kind: wayKind, name: z.string(), addedAt: instant.nullable() });
export type Way = z.infer<typeof way>;

/** It doesn't work, and is deleted at `deletedAt` unless its owner keeps it. */
export const suspendedWay = way.extend({ deletedAt: instant });
export type SuspendedWay = z.infer<typeof suspendedWay>;

/** `GET /api/auth/ways`: what works, and what is suspended. */
export const waysAnswer = z.object({ ways: z.array(way), suspended: z.array(suspendedWay) });
export type WaysAnswer = z.infer<typeof waysAnswer>;

/** `POST /api/auth/reset-password`: how many ways in were suspended. */
export const passwordReset = z.object({ status: z.literal(true), suspended: z.number().int() });
export type PasswordReset = z.infer<typeof passwordReset>;
