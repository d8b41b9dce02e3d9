/** A number of seconds in words: `1 second`, `20 seconds`. */
export const inSeconds = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
