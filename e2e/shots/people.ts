import { request } from '@playwright/test';

export type Client = Awaited<ReturnType<typeof request.newContext>>;
export interface Person {
  uid: string;
  client: Client;
}

export async function signUp(url: string, name: string, email: string): Promise<Person> {
  const client = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
  const data = { name, email, password: 'a long password' };
  const answer = await client.post('/api/auth/sign-up/email', { data });
  if (!answer.ok()) throw new Error(`The sign-up of ${email} answered ${answer.status()}`);
  const { user } = await answer.json();
  return { uid: String(user.id), client };
}

export async function post(client: Client, path: string, data: unknown) {
  const answer = await client.post(path, { data });
  if (!answer.ok()) throw new Error(`POST ${path} answered ${answer.status()}: ${await answer.text()}`);
  return answer.json();
}

/** Sends a message and waits for its answer, so that the last exchanges are real ones with real memories. */
export async function ask(client: Client, sessionId: string, agentId: string, inputText: string): Promise<string> {
  const { task } = await post(client, `/api/sessions/${sessionId}/tasks`, { agentId, inputText });
  for (let i = 0; i < 300; i += 1) {
    const answer = await (await client.get(`/api/sessions/${sessionId}/tasks?limit=5`)).json();
    const now = answer.tasks.find((one: { id: string }) => one.id === task.id);
    if (now !== undefined && now.status !== 'running') return task.id;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`“${inputText}” was not answered within 15 s`);
}

export interface People {
  pro: Person;
  free: Person;
  author: Person;
}

/** A browser's sign-in: its cookies. */
export type SignIn = Awaited<ReturnType<Awaited<ReturnType<typeof request.newContext>>['storageState']>>;

/** A running server and the people on it, as other processes are told of it. */
export interface Workshop {
  url: string;
  /** Cookies of a free and of a Pro account; `out` is signed out. */
  people: { out: undefined; free: SignIn; pro: SignIn };
  /** Addresses that only this workshop knows. */
  addresses: {
    session: string;
    limited: string;
    agent: string;
    /** An account that the operator looks at. */
    person: string;
    shared: string;
    branched: string;
    rightToLeft: string;
    /** The end of the sign-up page’s address. */
    invitation: string;
  };
}
