import { SENTENCES } from '@atelier/contract/errors';
import type { z } from 'zod';
import { ApiError, parseBody, readError } from '../http.ts';

/** What `readError` looks at. */
function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const name of ['retry-after', 'server']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/** Uploads a file and reports the share sent, 0 to 1, which fetch can't. Throws `ApiError`, or the reason of `signal` once it aborts. */
export function sendFile<T>(
  schema: z.ZodType<T>,
  path: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
) {
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.responseType = 'text';
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      const body = parseBody(request.responseText);
      const answer = schema.safeParse(body);
      if (request.status === 201 && answer.success) return resolve(answer.data);
      reject(readError(request.status, body, headersOf(request)));
    });
    request.addEventListener('error', () => reject(new ApiError(0, 'offline', SENTENCES.offline)));
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}
