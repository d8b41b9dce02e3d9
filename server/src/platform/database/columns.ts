import { timestamp } from 'drizzle-orm/pg-core';

/** An instant with milliseconds and zone: what every time column is. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
