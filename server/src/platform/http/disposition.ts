/** A `content-disposition` that saves a file under its own name, of any characters. */
export function asDownload(name: string): string {
  const plain = name.replaceAll(/[^\w.\- ]+/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
