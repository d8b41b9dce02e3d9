import type { Signal } from './signals.ts';
export const WEIGHTS: Record<Signal, number> = JSON.parse('{}');
