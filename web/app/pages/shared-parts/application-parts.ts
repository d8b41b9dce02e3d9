// What of an answer has a state, or opens, copies or loads something: only the application can show it.

function onlyInApplication(): never {
  throw new Error('The application shows this');
}

export const AnswerLink = onlyInApplication;
export const CodeBlock = onlyInApplication;
export const CopyButton = onlyInApplication;
export const Diagram = onlyInApplication;
export const Enlarge = onlyInApplication;
export const FootnoteReference = onlyInApplication;
export const Formula = onlyInApplication;
/** Below every answer, also without any; a reference to one has thrown before. */
export const Footnotes = () => null;
