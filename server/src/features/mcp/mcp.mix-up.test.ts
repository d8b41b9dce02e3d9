import { beforeEach, describe, expect, it } from 'vitest';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { signInAt, startOAuth } from '../../testing/mcp/oauth-server.ts';
import { metadataOf, startSignInService } from '../../testing/mcp/sign-in-service.ts';

const act = { name: 'act', description: 'Acts.', inputSchema: { type: 'object' } };
const BACK = 'http://localhost/api/mcp-servers/signed-in';
const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';
const RESOURCE = '/.well-known/oauth-protected-resource/mcp';
const ANNOUNCED = { authorization_response_iss_parameter_supported: true };

type Service = Awaited<ReturnType<typeof startSignInService>>;

let ada: TestUser;
/** The server that Ada added, and another one. */
let service: Service;
let other: Service;
const app = await emptyApp({ env: { FETCH_ALLOWED: '127.0.0.1' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
  [service, other] = [await startSignInService([act]), await startSignInService([act])];
  return () => Promise.all([service.close(), other.close()]);
});

/** Adds the server and begins to sign in there. */
async function begin(url = service.url) {
  const made = await app.request('POST', '/api/mcp-servers', { as: ada, body: { name: 'Mine', url } });
  return app.request('POST', `/api/mcp-servers/${made.body.server.id}/sign-in`, { as: ada, body: {} });
}
/** What a browser does at an address where everything is permitted at once. */
const permit = async (address: string) =>
  new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '');
const comeBack = (back: URL) => app.request('GET', back.href.replace('http://localhost', ''), { as: ada });
const describesItself = (changes: Record<string, unknown> = {}) =>
  service.pages.set(OAUTH, metadataOf(service.origin, changes));
const state = async () => (await app.request('GET', '/api/mcp-servers', { as: ada })).body.servers[0].state;

async function isRefused(begun: Awaited<ReturnType<typeof begin>>, reason: RegExp) {
  expect([begun.status, begun.body.error?.message]).toEqual([400, expect.stringMatching(reason)]);
  // A client ID would not help.
  expect(begun.body.error.field).toBeUndefined();
}

describe('a server that names the sign-in of an honest service', () => {
  let honest: Awaited<ReturnType<typeof startOAuth>>;
  beforeEach(async () => {
    honest = await startOAuth([act]);
    const pass = async (path: string, body: string, type: string): Promise<object> =>
      (
        await fetch(honest.issuer + path, { method: 'POST', body, headers: { 'content-type': type } })
      ).json() as Promise<object>;
    // It registers at the honest service, and redeems there what it gets.
    service.register = (asked) => pass('/reg', JSON.stringify(asked), 'application/json');
    service.redeem = (asked) => pass('/token', asked.toString(), 'application/x-www-form-urlencoded');
    return () => honest.close();
  });
  const claim = (changes = {}) => describesItself({ authorization_endpoint: `${honest.issuer}/auth`, ...changes });
  /** Nothing that Ada permitted reached the server. */
  const gotNothing = async () => {
    expect([service.redeemed, [...honest.valid]]).toEqual([[], []]);
    expect(await state()).toBe('signed_out');
  };

  it('is refused before the person goes there', async () => {
    claim();
    await isRefused(
      await begin(),
      new RegExp(`${new URL(honest.issuer).host}.*nothing shows that they belong together`),
    );
    await gotNothing();
  });

  it('gets no code when the honest service says who it is', async () => {
    claim(ANNOUNCED);
    const { address } = (await begin()).body;
    const back = new URL(await signInAt(address, BACK));
    expect(back.searchParams.get('iss')).toBe(honest.issuer);
    const page = await comeBack(back);
    await gotNothing();
    expect([page.status, page.body]).toEqual([400, expect.stringContaining('another service')]);
  });

  it('gets no code when the honest service does not say who it is', async () => {
    claim(ANNOUNCED);
    const { address } = (await begin()).body;
    const back = new URL(await signInAt(address, BACK));
    back.searchParams.delete('iss');
    const page = await comeBack(back);
    await gotNothing();
    expect([page.status, page.body]).toEqual([400, expect.stringContaining('didn’t say who it is')]);
  });

  it('gets no code when it has the person sent back with its own name beside the honest one', async () => {
    claim(ANNOUNCED);
    const { address } = (await begin()).body;
    const back = new URL(await signInAt(address, BACK));
    // As with a redirect address that has an `iss` already.
    back.search = `?iss=${encodeURIComponent(service.origin)}&${back.search.slice(1)}`;
    expect((await comeBack(back)).status).toBe(400);
    await gotNothing();
  });

  it('can’t add parameters of its own to the honest address', async () => {
    claim({ ...ANNOUNCED, authorization_endpoint: `${honest.issuer}/auth?request_uri=https://evil.test/jar` });
    await isRefused(await begin(), /nothing shows that they belong together/);
  });

  it('gets no code by a redirect to the honest sign-in, where that says who it is', async () => {
    describesItself();
    const { address } = (await begin()).body;
    const asked = new URL(address);
    service.pages.set('/authorize', `${honest.issuer}/auth${asked.search}`);
    const page = await comeBack(new URL(await signInAt(address, BACK)));
    await gotNothing();
    expect([page.status, page.body]).toEqual([400, expect.stringContaining('another service')]);
  });
});

it.each([
  ['at the root', '', OAUTH],
  ['at the root, as OpenID', '', OPENID],
  ['in a path', '/tenant', `${OAUTH}/tenant`],
  ['in a path, as OpenID', '/tenant', `${OPENID}/tenant`],
  ['in a path, as OpenID appends it', '/tenant', `/tenant${OPENID}`],
])('metadata %s has to name the issuer that was asked', async (_, path, place) => {
  service.pages.set(RESOURCE, { resource: service.url, authorization_servers: [service.origin + path] });
  for (const wrong of [other.origin, `${service.origin}/other`, `${service.origin}${path}//`, 'Mine']) {
    service.pages.set(place, { ...metadataOf(service.origin), issuer: wrong });
    await isRefused(await begin(), /calls itself by another address/);
  }
});

it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])(
  'a %s on another host needs a service that says who it is',
  async (endpoint) => {
    describesItself({ [endpoint]: `${other.origin}/anything` });
    await isRefused(
      await begin(),
      new RegExp(`${new URL(other.origin).host}.*nothing shows that they belong together`),
    );
  },
);

it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])(
  'a %s without https is refused',
  async (endpoint) => {
    describesItself({ ...ANNOUNCED, [endpoint]: 'http://sign-in.test/anything' });
    await isRefused(await begin(), /without https/);
  },
);

it('a sign-in service without https is refused', async () => {
  service.pages.set(RESOURCE, { resource: service.url, authorization_servers: ['http://sign-in.test'] });
  await isRefused(await begin(), /without https/);
});

it('an answer of another issuer is refused, announced or not', async () => {
  for (const announced of [{}, ANNOUNCED]) {
    describesItself(announced);
    for (const iss of [other.origin, `${service.origin}/other`, '', 'Mine']) {
      const back = await permit((await begin()).body.address);
      back.searchParams.set('iss', iss);
      const page = await comeBack(back);
      expect([iss, page.status, page.body]).toEqual([iss, 400, expect.stringContaining('another service')]);
    }
  }
  expect(service.redeemed).toEqual([]);
});

it('a service that announced to say who it is has to', async () => {
  // Also when it describes itself as OpenID does.
  for (const place of [OAUTH, OPENID]) {
    service.pages.clear();
    service.pages.set(place, openId(service.origin, ANNOUNCED));
    const page = await comeBack(await permit((await begin()).body.address));
    expect([page.status, page.body]).toEqual([400, expect.stringContaining('didn’t say who it is')]);
  }
  expect(service.redeemed).toEqual([]);
});

it('redeems where it was to be redeemed when the sign-in began, whatever the service says later', async () => {
  const { address } = (await begin()).body;
  describesItself({ token_endpoint: `${other.origin}/token` });
  service.pages.set(RESOURCE, { resource: service.url, authorization_servers: [other.origin] });
  expect((await comeBack(await permit(address))).status).toBe(200);
  expect([service.redeemed.length, other.redeemed.length]).toEqual([1, 0]);
});

it('renews where it was redeemed, whatever the service says later', async () => {
  service.redeem = async () => ({ access_token: 'ended', refresh_token: 'more', token_type: 'Bearer' });
  const { address } = (await begin()).body;
  describesItself({ token_endpoint: `${other.origin}/token` });
  await comeBack(await permit(address));
  expect(service.redeemed.map((asked) => asked.get('grant_type'))).toEqual(['authorization_code', 'refresh_token']);
  expect(other.redeemed).toEqual([]);
});

it('metadata and tokens are not fetched from where another host is redirected to', async () => {
  other.pages.set(OAUTH, metadataOf(service.origin, { token_endpoint: `${other.origin}/token` }));
  service.pages.set(OAUTH, `${other.origin}${OAUTH}`);
  service.pages.set('/token', `${other.origin}/token`);
  const { address } = (await begin()).body;
  expect((await comeBack(await permit(address))).status).toBe(400);
  expect(other.redeemed).toEqual([]);
});

const openId = (issuer: string, changes: Record<string, unknown> = {}) => ({
  ...metadataOf(issuer, changes),
  jwks_uri: `${new URL(issuer).origin}/keys`,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

describe('an honest service', () => {
  const works = async () => {
    const begun = await begin();
    expect(begun.body.error).toBeUndefined();
    const page = await comeBack(await permit(begun.body.address));
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('You are signed in')]);
    expect(await state()).toBe('approved');
  };
  const isAt = (address: string) =>
    service.pages.set(RESOURCE, { resource: service.url, authorization_servers: [address] });

  it('may be elsewhere than the server of tools', async () => {
    isAt(other.origin);
    other.pages.set(OAUTH, metadataOf(other.origin, ANNOUNCED));
    other.iss = other.origin;
    await works();
    expect(other.redeemed).toHaveLength(1);
  });

  it('may have no metadata', async () => {
    await works();
  });

  it('may have no metadata and say who it is', async () => {
    service.iss = service.origin;
    await works();
  });

  it('may spell the end of its address in two ways', async () => {
    isAt(`${service.origin}/tenant/`);
    service.pages.set(`/tenant${OPENID}`, openId(`${service.origin}/tenant`));
    service.iss = `${service.origin}/tenant/`;
    await works();
  });

  it('may have the metadata of another one at the first of the places', async () => {
    isAt(`${service.origin}/tenant`);
    service.pages.set(`${OAUTH}/tenant`, metadataOf(`${service.origin}/first`));
    service.pages.set(`/tenant${OPENID}`, openId(`${service.origin}/tenant`));
    await works();
  });

  it('may redirect to its metadata on its own host', async () => {
    service.pages.set(OAUTH, `${service.origin}/metadata`);
    service.pages.set('/metadata', metadataOf(service.origin, ANNOUNCED));
    service.iss = service.origin;
    await works();
  });

  it('may be asked by an address that redirects on its own host', async () => {
    service.pages.set('/tools', service.url);
    const { address } = (await begin(`${service.origin}/tools`)).body;
    expect(new URL(address).searchParams.get('scope')).toBe('tools');
  });

  it('may redeem on another host, as OpenID too, when it says who it is', async () => {
    service.pages.set(OPENID, openId(service.origin, { ...ANNOUNCED, token_endpoint: `${other.origin}/token` }));
    service.iss = service.origin;
    await works();
    expect(other.redeemed).toHaveLength(1);
  });
});
