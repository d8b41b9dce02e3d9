/** Saves a text as a file on the person's machine. */
export function saveText(name: string, text: string): void {
  // No type that a browser would open instead.
  const address = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
