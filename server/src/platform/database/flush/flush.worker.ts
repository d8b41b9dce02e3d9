import { fdatasyncSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

// A thread of its own: Node's shared ones may all be busy with passwords, archives or names that don't resolve.
parentPort?.on('message', (descriptors: number[]) => {
  try {
    for (const descriptor of descriptors) fdatasyncSync(descriptor);
    parentPort?.postMessage(null);
  } catch (error) {
    // A copied error loses its code.
    const { message, code } = error as NodeJS.ErrnoException;
    parentPort?.postMessage({ message, code });
  }
});
