import type { ServerPrompt, ServerResource, ServerTemplate } from '@atelier/contract/mcp/server-contents';
import type { ContentRef } from './contents.api.ts';

/** Something of a server that a person has chosen, with the values that it needs first. */
export interface Choice {
  name: string;
  description: string;
  fields: { name: string; description: string; required: boolean }[];
  wanted: (values: ReadonlyMap<string, string>) => ContentRef;
}

export const ofResource = ({ uri, name, description }: ServerResource): Choice => ({
  name,
  description,
  fields: [],
  wanted: () => ({ uri }),
});

export const ofPrompt = ({ name, title, description, arguments: fields }: ServerPrompt): Choice => ({
  name: title,
  description,
  fields,
  wanted: (values) => ({
    prompt: { name, arguments: Object.fromEntries([...values].filter(([, text]) => text !== '')) },
  }),
});

/** Null for an address that only programs fill in. */
export function ofTemplate({ template, name, description, variables }: ServerTemplate): Choice | null {
  if (variables === null) return null;
  return {
    name,
    description: description || template,
    fields: variables.map((variable) => ({ name: variable, description: '', required: true })),
    wanted: (values) => ({
      uri: template.replaceAll(/\{(\+?)([\w.-]+)\}/gu, (_, plus: string, variable: string) => {
        const value = values.get(variable) ?? '';
        return plus === '+' ? encodeURI(value) : encodeURIComponent(value);
      }),
    }),
  };
}
