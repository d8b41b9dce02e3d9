import {
  type AgentCreate,
  type AgentSettings,
  type AgentUpdate,
  agentCreate,
  NEW_AGENT,
  parseTags,
  SETTING_NAMES,
  settingsOf,
} from '@atelier/contract/agents';

interface Edited extends AgentSettings {
  isPublic: boolean;
}

/** The form as it is typed; tags are one comma-separated text. */
export type AgentFormState = Omit<Edited, 'tags'> & { tags: string };

export type AgentField = keyof AgentFormState;
export type AgentFieldErrors = Partial<Record<AgentField, string>>;

export interface AgentFieldsProps {
  form: AgentFormState;
  errors: AgentFieldErrors;
  change: (part: Partial<AgentFormState>) => void;
}

const FIELDS: readonly AgentField[] = [...SETTING_NAMES, 'isPublic'];
const BLANK: Edited = { name: '', prompt: '', ...NEW_AGENT, isPublic: false };

/** The form of a new agent, with the product's defaults and the model that answers here. */
export const blankForm = (model: string): AgentFormState => formOf({ ...BLANK, model });

/** The form of an existing agent, or the blank one with the product's defaults. */
export const formOf = (agent: Edited = BLANK): AgentFormState => ({
  ...settingsOf(agent),
  tags: agent.tags.join(', '),
  isPublic: agent.isPublic,
});

/** What is sent: tags split; without Pro nothing is published and no tool is touched. */
export function bodyOf(form: AgentFormState, isPro: boolean): AgentCreate {
  const { tools, ...rest } = form;
  return {
    ...rest,
    name: form.name.trim(),
    description: form.description.trim(),
    tags: parseTags(form.tags),
    starters: form.starters.map((s) => s.trim()).filter((s) => s !== ''),
    isPublic: isPro && form.isPublic,
    ...(isPro ? { tools } : {}),
  };
}

/** What differs between two states of the form as they would be stored: a comma typed after the last tag is no change. */
export function changedFields(before: AgentFormState, after: AgentFormState): AgentField[] {
  const [a, b] = [bodyOf(before, true), bodyOf(after, true)];
  return FIELDS.filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]));
}

/** What is sent of an agent that exists: what the person changed, so that the rest stays as somebody else may have set it. */
export function changesOf(before: AgentFormState, after: AgentFormState, isPro: boolean): AgentUpdate {
  const sent = bodyOf(after, isPro);
  return Object.fromEntries(
    changedFields(before, after).flatMap((field) => (field in sent ? [[field, sent[field]]] : [])),
  );
}

/**
 * The form after the stored agent changed from `before` to `now` while the person was typing: what they have not touched is shown as it
 * is now, what they typed stays. `both` are the fields that were changed on both sides, to different ends.
 */
export function mergeForm(before: AgentFormState, typed: AgentFormState, now: AgentFormState) {
  const mine = changedFields(before, typed);
  const theirs = changedFields(before, now).filter((field) => !mine.includes(field));
  const state = { ...typed, ...pick(now, theirs) };
  const both = changedFields(state, now).filter((field) => changedFields(before, now).includes(field));
  return { state, both };
}

/** Some fields of a form. */
export const pick = (form: AgentFormState, fields: readonly AgentField[]): Partial<AgentFormState> =>
  Object.fromEntries(fields.map((field) => [field, form[field]]));

/** The form's field that a path such as `tags.3` of the server or a schema belongs to. */
export function fieldOf(path: string | undefined): AgentField | undefined {
  const first = path?.split('.')[0];
  return FIELDS.find((field) => field === first);
}

/** The first sentence for each field that can't be sent as it stands. */
export function checkForm(form: AgentFormState, isPro: boolean): AgentFieldErrors {
  const errors: AgentFieldErrors = {};
  const parsed = agentCreate.safeParse(bodyOf(form, isPro));
  for (const issue of parsed.error?.issues ?? []) {
    const field = fieldOf(String(issue.path[0] ?? ''));
    if (field) errors[field] ??= issue.message;
  }
  return errors;
}
