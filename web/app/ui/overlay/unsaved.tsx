import { createContext, use, useCallback, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { later } from '../later.tsx';
import { createListeners, createShared } from '../shared-value.ts';

type Leave = (go: () => void) => void;

/** Something that can be closed, and knows which unsaved forms are inside. */
export interface UnsavedArea {
  /** The forms with unsaved input: in this area, and in every area around it. */
  forms: readonly Set<object>[];
  /** Calls `go` at once when nothing would be lost; asks first otherwise. */
  leave: Leave;
}

/** The question before something typed is lost, where the usual one doesn't fit. */
export interface DiscardWords {
  title: string;
  body: string;
  cancelLabel: string;
  confirmLabel: string;
}

interface Question {
  go: () => void;
  stay: () => void;
  words?: DiscardWords | undefined;
}

const everywhere = new Set<object>();
const forms = createListeners();
const question = createShared<Question | null>(null);

/** Whether leaving would lose anything on the page. */
export const hasUnsaved = () => everywhere.size > 0;

/** Asks whether unsaved input may be discarded; then calls `go`, or `stay`. */
export function askToDiscard(go: () => void, stay: () => void = () => {}, words?: DiscardWords): void {
  question.set({ go, stay, words });
}

/** Leaves the page other than by navigation: calls `go` at once when nothing is unsaved, and asks first otherwise. */
const leavePage: Leave = (go) => (hasUnsaved() ? askToDiscard(go) : go());

/** Adds the forms inside to an area, its value. */
export const InUnsavedArea = createContext<UnsavedArea>({ forms: [everywhere], leave: leavePage });

// Before a reload or leaving the site, the browser asks in its own words.
const warn = (event: BeforeUnloadEvent) => event.preventDefault();

function register(form: object, sets: readonly Set<object>[]) {
  for (const set of sets) set.add(form);
  addEventListener('beforeunload', warn);
  forms.tell();
  return () => {
    for (const set of sets) set.delete(form);
    if (!hasUnsaved()) removeEventListener('beforeunload', warn);
    forms.tell();
  };
}

/** An area that can be closed, for a dialog or a form; `unsaved` means that its own input would be lost. */
export function useUnsavedArea(unsaved = false): UnsavedArea {
  const outer = use(InUnsavedArea);
  const [own] = useState(() => new Set<object>());
  const forms = useMemo(() => [...outer.forms, own], [outer, own]);
  // Runs before anything that follows from the change can look, above all a navigation.
  useLayoutEffect(() => (unsaved ? register({}, forms) : undefined), [unsaved, forms]);
  const leave = useCallback<Leave>((go) => (own.size > 0 ? askToDiscard(go) : go()), [own]);
  return useMemo(() => ({ forms, leave }), [forms, leave]);
}

const DiscardQuestion = later(() => import('./discard-question.tsx'));

/** Asks whether unsaved input may be discarded. Used once, in the root. */
export function UnsavedQuestion() {
  const currentQuestion = question.useValue();
  const unsaved = useSyncExternalStore(forms.subscribe, hasUnsaved, () => false);
  const answer = (discard: boolean) => {
    // Not what was rendered: the same press may answer and close, and only the first of the two counts.
    const now = question.read();
    question.set(null);
    if (discard) now?.go();
    else now?.stay();
  };
  // Loaded as soon as there is something to lose.
  if (!unsaved && currentQuestion === null) return null;
  return <DiscardQuestion open={currentQuestion !== null} words={currentQuestion?.words} onAnswer={answer} />;
}
