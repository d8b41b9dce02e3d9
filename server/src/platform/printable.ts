/** Other people's words on the operator's terminal: without control characters, which could rewrite it. */
export const printable = (text: string) =>
  text.replaceAll(/\r\n?/gu, '\n').replaceAll(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '�');
