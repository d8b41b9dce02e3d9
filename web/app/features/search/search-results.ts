import type { Passage, SearchAnswer } from '@atelier/contract/search';
import type { WhyFound } from '@atelier/contract/search/why-found';
import { chatPath, exchangePath, publicAgentPath } from '../../lib/addresses.ts';
import { plainWords } from '../../lib/markdown/plain-words.ts';

/** One line of the list: its link and its text. */
export interface Result {
  key: string;
  to: string;
  title: string;
  aside: string;
  /** When it was said or began. */
  at?: string | undefined;
  passage: Passage;
  why: WhyFound;
  /** The name of another author's agent that its own looks like. */
  imitates?: string | undefined;
}

export interface ResultGroup {
  heading: string;
  results: Result[];
}

const memoriesOf = (agentId: string) => `/memory?${new URLSearchParams({ view: 'said', agentId })}`;

/** Results in groups, without empty ones. Exchanges and memories link to the exact message. */
export function groupResults(results: SearchAnswer): ResultGroup[] {
  const groups: ResultGroup[] = [
    {
      heading: 'Sessions',
      results: results.sessions.map((s) => ({
        key: `session ${s.id}`,
        to: exchangePath(s.id),
        title: s.name,
        aside: s.agentName,
        at: s.createdAt,
        passage: [],
        why: s.why,
      })),
    },
    {
      heading: 'Messages',
      results: results.tasks.map((t) => ({
        key: `task ${t.id}`,
        to: exchangePath(t.sessionId, t.id),
        title: t.sessionName,
        aside: t.agentName,
        at: t.timestamp,
        passage: plainPassage(t.passage),
        why: t.why,
      })),
    },
    memoryGroup(results),
    {
      heading: 'Files',
      results: results.files.map((f) => ({
        key: `file ${f.id}`,
        to: `/library?${new URLSearchParams({ edit: f.agentId })}`,
        title: f.fileName,
        aside: [f.agentName, f.place].filter(Boolean).join(', '),
        passage: plainPassage(f.passage),
        why: f.why,
      })),
    },
    ...agentGroups(results),
  ];
  return groups.filter((group) => group.results.length > 0);
}

const memoryGroup = (results: SearchAnswer): ResultGroup => ({
  heading: 'Memories',
  results: results.memories.map((m) => ({
    key: `memory ${m.id}`,
    to: m.sessionId ? exchangePath(m.sessionId, m.taskId) : memoriesOf(m.agentId),
    title: m.sessionName ?? m.agentName,
    aside: m.kind === 'person' ? 'You' : m.agentName,
    at: m.timestamp,
    passage: m.kind === 'agent' ? plainPassage(m.passage) : m.passage,
    why: m.why,
  })),
});

const agentGroups = (results: SearchAnswer): ResultGroup[] => [
  {
    heading: 'My agents',
    results: results.agents.map((a) => ({
      key: `agent ${a.id}`,
      to: chatPath(a.id),
      title: a.name,
      aside: '',
      passage: plainPassage(a.passage),
      why: a.why,
    })),
  },
  {
    heading: 'Public agents',
    results: results.publicAgents.map((a) => ({
      key: `public ${a.creatorId} ${a.id}`,
      to: publicAgentPath(a.creatorId, a.id),
      title: a.name,
      aside: `by ${a.creatorName}`,
      imitates: a.imitates?.name,
      passage: plainPassage(a.passage),
      why: a.why,
    })),
  },
];

// Characters that no text contains: they separate the hits while Markdown is removed.
const [OPEN, CLOSE] = ['\uE000', '\uE001'];
/** Marks of a bold part that the passage has only the beginning or the end of; no power of a number. */
const CUT_BOLD = /(?<!\S)\*\*(?=\S)|(?<=\S)\*\*(?![\p{L}\p{N}*])/gu;
/** The same of an emphasized part; no file pattern, and no figure with a star. */
const CUT_EMPHASIS = /(?<!\S)\*(?=[\p{L}\uE000])|(?<=[\p{L}\uE001.,:;!?…)”"'])\*(?![\p{L}\p{N}*.])/gu;

/** A passage of an answer without its Markdown; hits stay marked. */
export function plainPassage(passage: Passage): Passage {
  const text = passage.map((part) => (part.hit ? `${OPEN}${part.text}${CLOSE}` : part.text)).join('');
  return plainWords(text)
    .replaceAll(CUT_BOLD, '')
    .replaceAll(CUT_EMPHASIS, '')
    .replaceAll('\n', ' ')
    .split(/(\uE000[^\uE000\uE001]*\uE001)/u)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(OPEN) ? { text: part.slice(1, -1), hit: true } : { text: part, hit: false }));
}
