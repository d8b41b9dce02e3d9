import { DEFAULT_MODEL, DEFAULT_MODELS } from '@atelier/contract/agents';
import type { Log } from '../../log.ts';
import type { ModelKey } from '../models.ts';
import { type Abilities, abilitiesOf, combineAbilities } from './abilities.ts';
import { askForModels } from './ask-provider.ts';
import type { Price } from './prices.ts';
import type { Provider } from './providers.ts';
import type { ProviderModel } from './read-list.ts';

/** A model that can answer. */
export interface CatalogueModel {
  id: string;
  label: string;
  provider: Provider;
  /** Its name at the provider. */
  remoteId: string;
  abilities: Abilities;
  /** Names the kind of server at some providers, for example `library` at Ollama. */
  ownedBy?: string | undefined;
  /** In US dollars, where its provider tells. */
  price?: Price | undefined;
}

/** An excluded model that its provider doesn’t list now, with the id that it would have. */
type Unlisted = ModelKey & { id: string };

/** A missing model asks the providers again, but not more often than this. */
const ASK_AGAIN_MS = 60_000;

/** The models of all providers. */
export type Catalogue = ReturnType<typeof createCatalogue>;

export function createCatalogue(providers: readonly Provider[], chosen: string | undefined, log: Log) {
  const lists: ProviderLists = { models: new Map(), fixed: new Set() };
  const down = new Map<Provider, string>();
  const { allModels, offered, update, ...offer } = createOffer(() => collect(providers, lists));
  let asking: Promise<void> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function ask(provider: Provider): Promise<void> {
    try {
      lists.models.set(provider, await askForModels(provider));
      down.delete(provider);
    } catch (error) {
      // The AI SDK is loaded only where it is needed.
      const { explainFailure } = await import('../explain-failure.ts');
      const { message: reason, isMissing } = explainFailure(error, provider.secrets);
      // Some have no list, and need none where the operator names their models.
      if (isMissing && provider.named.size > 0) return;
      const isNew = !down.has(provider);
      down.set(provider, reason);
      if (isNew) log.info('models.list_failed', { provider: provider.name, reason });
    }
  }

  /** Asks every provider what it has; never throws. One that is down keeps what it had. */
  async function refresh(): Promise<void> {
    askedAt = performance.now();
    asking ??= Promise.all(providers.map(ask)).then(() => {
      update();
      asking = undefined;
    });
    return asking;
  }
  /** A model turned out to be missing: asks again, unless that was a moment ago. */
  const refreshSoon = () => {
    if (performance.now() - askedAt > ASK_AGAIN_MS) void refresh();
  };
  /** Answers for models that no provider has; null where none is known yet. */
  const standIn = () => standInOf(offered(), chosen);

  return {
    ...offer,
    /** The model that answers for an id: itself where it is offered, otherwise the stand-in. */
    find(id: string): CatalogueModel {
      const model = lookUp(allModels(), id);
      if (model !== undefined && offered().has(model.id)) return model;
      if (model === undefined) refreshSoon();
      return standIn() ?? passOn(providers[0], id);
    },
    /** The model itself, also an excluded one; undefined where no provider has it. */
    lookUp: (id: string) => lookUp(allModels(), id),
    standIn,
    refresh,
    refreshSoon,
    /** The model has refused a temperature. */
    refusesTemperature(model: CatalogueModel): void {
      lists.fixed.add(keyOf(model));
      update();
    },
    /** Why a provider’s list of models could not be read when it was last asked for; undefined where it could. */
    problemOf: (provider: Provider): string | undefined => down.get(provider),
  };
}

/** The model that answers a message that was accepted: also one that is excluded since. */
export const findAccepted = (catalogue: Catalogue, id: string): CatalogueModel =>
  catalogue.lookUp(id) ?? catalogue.find(id);

const nameOf = ({ provider, model }: ModelKey): string => `${provider}/${model}`;
/** A model by its provider and its name there. */
export const keyOf = ({ provider, remoteId }: Pick<CatalogueModel, 'provider' | 'remoteId'>): string =>
  nameOf({ provider: provider.name, model: remoteId });

/** All models that `collectAll` finds, and of them those that no operator excludes. */
function createOffer(collectAll: () => ReadonlyMap<string, CatalogueModel>) {
  let exclusions = new Map<string, ModelKey>();
  let all = collectAll();
  let offered = all;
  /** Those that are excluded and not listed: what a provider has just left out stays excluded. */
  const unlisted = (): Unlisted[] => {
    const listed = new Set([...all.values()].map(keyOf));
    return [...exclusions.values()]
      .filter((key) => !listed.has(nameOf(key)))
      .map((key) => ({ ...key, id: lookUp(all, key.model) === undefined ? key.model : nameOf(key) }));
  };
  const update = () => {
    all = collectAll();
    offered = new Map([...all].filter(([, one]) => !exclusions.has(keyOf(one))));
  };
  return {
    update,
    allModels: () => all,
    offered: () => offered,
    list: () => [...offered.values()],
    /** The same and those that an operator excludes. */
    all: () => [...all.values()],
    unlisted,
    /** Offers all but these from now on. */
    exclude(keys: readonly ModelKey[]) {
      exclusions = new Map(keys.map((key) => [nameOf(key), key]));
      update();
    },
    /** Whether an operator excludes the model, also where its provider doesn’t list it any more. */
    isExcluded(id: string): boolean {
      const model = lookUp(all, id);
      if (model !== undefined) return !offered.has(model.id);
      const ids = unlisted().flatMap((key) => [key.id, nameOf(key)]);
      return ids.includes(id) || ids.includes(twinOf(id));
    },
    /** The ids of all that are excluded. */
    excluded: (): string[] => [
      ...[...all.keys()].filter((id) => !offered.has(id)),
      ...new Set(unlisted().map(({ id }) => id)),
    ],
  };
}

interface ProviderLists {
  models: Map<Provider, readonly ProviderModel[]>;
  /** Models that have refused a temperature. */
  fixed: Set<string>;
}

/** All models by id. Where two providers have the same, the earlier one has the short id. */
function collect(
  providers: readonly Provider[],
  { models, fixed }: ProviderLists,
): ReadonlyMap<string, CatalogueModel> {
  const all = new Map<string, CatalogueModel>();
  for (const provider of providers) {
    for (const { id, label, reported, ownedBy, price } of offersOf(provider, models.get(provider))) {
      const other = all.get(id) ?? all.get(twinOf(id));
      if (other?.provider === provider) continue;
      const name = other === undefined ? id : `${provider.name}/${id}`;
      const noTemperature = fixed.has(keyOf({ provider, remoteId: id })) ? { temperature: false } : {};
      const abilities = combineAbilities(abilitiesOf(id), reported, noTemperature, provider.named.get(id) ?? {});
      const shown = other === undefined ? (label ?? id) : name;
      all.set(name, { id: name, label: shown, provider, remoteId: id, abilities, ownedBy, price });
    }
  }
  return all;
}

/** A model by its id, or by `provider/id`, which is understood also where the short id is free. */
function lookUp(offered: ReadonlyMap<string, CatalogueModel>, id: string): CatalogueModel | undefined {
  const at = id.indexOf('/');
  return (
    offered.get(id) ??
    offered.get(twinOf(id)) ??
    [...offered.values()].find((one) => one.provider.name === id.slice(0, at) && one.remoteId === id.slice(at + 1))
  );
}

const standInOf = (offered: ReadonlyMap<string, CatalogueModel>, chosen: string | undefined): CatalogueModel | null =>
  (chosen === undefined ? undefined : lookUp(offered, chosen)) ??
  lookUp(offered, DEFAULT_MODEL) ??
  firstOf([...offered.values()]) ??
  null;

/** Ollama lists `llama3.2` as `llama3.2:latest` and answers to both. */
const twinOf = (id: string): string => (id.endsWith(':latest') ? id.slice(0, -':latest'.length) : `${id}:latest`);

/** The operator’s models first, then what the provider has; until it has told, what is assumed of it. */
function offersOf(
  provider: Provider,
  models: readonly ProviderModel[] | undefined,
): (Pick<ProviderModel, 'id' | 'label' | 'reported' | 'price'> & { ownedBy?: string })[] {
  const modelsById = new Map((models ?? []).map((model) => [model.id, model]));
  const named = [...provider.named.keys()].map((id) => ({
    reported: {},
    ...(modelsById.get(id) ?? modelsById.get(twinOf(id))),
    id,
  }));
  if (provider.onlyNamed) return named;
  const rest = models ?? provider.assumed.map((id) => ({ id, reported: {} }));
  return [...named, ...rest.map((model) => ({ ...model, id: shortName(model) }))];
}

const shortName = ({ id, ownedBy }: { id: string; ownedBy?: string }): string =>
  ownedBy === 'library' && id.endsWith(':latest') ? twinOf(id) : id;

/** What answers where nobody has chosen: what the operator named, and of the rest one that can use tools. */
export function firstOf(offered: readonly CatalogueModel[]): CatalogueModel | undefined {
  const able = offered.filter(({ id }) => !DEFAULT_MODELS.some((one) => one === id));
  return (
    able.find(({ provider, remoteId }) => provider.named.has(remoteId)) ??
    able.find((one) => one.abilities.tools) ??
    able[0] ??
    offered[0]
  );
}

/** No model is known at all: the provider itself says what is wrong. */
function passOn(provider: Provider | undefined, id: string): CatalogueModel {
  if (provider === undefined) throw new Error('there is no provider');
  return { id, label: id, provider, remoteId: id, abilities: combineAbilities(abilitiesOf(id)) };
}
