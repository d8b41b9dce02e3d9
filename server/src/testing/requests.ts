/** A form with one file, as a browser sends it. */
export function formOf(name: string, data: Uint8Array | string): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(Buffer.from(data))]), name);
  return form;
}

/** What a page of ours sends: its origin, the person's cookie, and a form, or something else as JSON; a text is sent as it is. */
export function requestOf(origin: string, cookie: string, method: string, body?: unknown) {
  const isJson = body !== undefined && !(body instanceof FormData);
  const headers = {
    origin,
    ...(cookie && { cookie }),
    ...(isJson && { 'content-type': 'application/json' }),
  } as Record<string, string>;
  if (body === undefined) return { method, headers };
  return { method, headers, body: typeof body === 'string' || !isJson ? body : JSON.stringify(body) };
}
