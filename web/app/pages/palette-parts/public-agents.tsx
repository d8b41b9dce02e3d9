import { SEARCH_MAX } from '@atelier/contract/explore';
import { useExplore } from '../../features/explore/explore.api.ts';
import { Commands } from '../../features/search/command-items.tsx';
import { IMITATION } from '../../lib/names/imitation.ts';
import { useTry } from '../explore-parts/use-try.ts';

/** As many as leave room for the rest. */
const SHOWN = 4;

/** Public agents that have the typed words, each to talk with at once. */
export function PublicAgents({ q, onClose }: { q: string; onClose: () => void }) {
  const { data } = useExplore({ q: q.slice(0, SEARCH_MAX), tag: '', sort: '' });
  const attempt = useTry();
  const commands = (data?.pages[0]?.agents ?? []).slice(0, SHOWN).map((agent) => ({
    id: `try ${agent.creatorId}/${agent.id}`,
    label: `Try ${agent.name}`,
    aside: agent.imitates === null ? agent.description : `${IMITATION} “${agent.imitates.name}”`,
    run: () => attempt.run(agent),
  }));
  return commands.length > 0 && <Commands groups={[{ heading: 'Public agents', commands }]} onClose={onClose} />;
}
