import { LINES } from './concepts.ts';
import { MemoryIndex } from './ranking.ts';

const ROUNDS = 6;

/**
 * Indexes and asks for a few hundred made-up memories, so that the engine has compiled what the first question after a start runs
 * through; nothing of them is kept.
 */
export function warmUp(): void {
  const index = new MemoryIndex();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, line] of LINES.entries()) {
      const text = `Last year, on ${at % 28} May, my ${line.slice(round).join(' ')} moved to Lisbon; I like ${line.at(round)}.`;
      const kind = at % 2 === 0 ? 'person' : 'agent';
      index.add({ id: `${round} ${at}`, sessionId: `${round}`, kind, speaker: null, text, at: at * 1_000 });
    }
  }
  for (const line of LINES) index.rank(`When did my ${line[0]} move to ${line[1]}?`, ROUNDS);
}
