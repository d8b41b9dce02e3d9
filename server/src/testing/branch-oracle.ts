interface Node {
  id: string;
  /** What it was said after; it stands there for good, whatever is deleted between. */
  after: string | null;
  /** When it came on the path, counted in changes. */
  chosen: number;
  created: number;
  deletedAt: number | null;
  marker: string;
}

/**
 * What a session's tree must look like after each change, as people expect it: where each exchange was said never changes, and those that are
 * deleted are passed over.
 */
export class BranchOracle {
  readonly nodes = new Map<string, Node>();
  path: string[] = [];
  #now = 0;

  /** A new message, as a sibling of `again` or at the end of the path. */
  say(id: string, marker: string, again?: string): void {
    this.#now += 1;
    const after = again === undefined ? (this.path.at(-1) ?? null) : this.parentOf(again);
    const now = this.#now;
    this.nodes.set(id, { id, after, chosen: now, created: now, deletedAt: null, marker });
    this.#lay(id);
  }

  choose(id: string): void {
    this.#now += 1;
    if (!this.path.includes(id)) this.#lay(this.#endOf(id));
  }

  hide(id: string): void {
    this.#now += 1;
    this.#get(id).deletedAt = this.#now;
    const wasLast = this.path.at(-1) === id;
    this.path = this.path.filter((one) => one !== id);
    if (wasLast) this.#lay(this.#endOf(this.parentOf(id)));
  }

  show(id: string): void {
    this.#now += 1;
    const node = this.#get(id);
    const deletedAt = node.deletedAt ?? 0;
    node.deletedAt = null;
    const tip = this.path.at(-1) ?? null;
    const leadsThere = this.#wayTo(tip).includes(id);
    const isLatest = !this.path.some((one) => this.#get(one).created > deletedAt);
    if (leadsThere || isLatest) this.#lay(leadsThere ? tip : this.#endOf(id));
  }

  /** The living exchange before one; null for a first one. */
  parentOf(id: string): string | null {
    const { after } = this.#get(id);
    return after === null || this.#get(after).deletedAt === null ? after : this.parentOf(after);
  }

  /** The living exchanges, in the order in which they were said. */
  living = (): Node[] => [...this.nodes.values()].filter(({ deletedAt }) => deletedAt === null);
  hidden = (): Node[] => [...this.nodes.values()].filter(({ deletedAt }) => deletedAt !== null);
  /** The markers of what stands on the path. */
  markers = (): string[] => this.path.map((id) => this.#get(id).marker);

  /** The exchange was removed for good. */
  remove(id: string): void {
    const { after } = this.#get(id);
    this.nodes.delete(id);
    for (const node of this.nodes.values()) if (node.after === id) node.after = after;
  }

  #get(id: string): Node {
    const node = this.nodes.get(id);
    if (node === undefined) throw new Error(`the oracle has no ${id}`);
    return node;
  }

  #endOf(from: string | null): string | null {
    const next = this.living()
      .filter(({ id }) => this.parentOf(id) === from)
      .toSorted((a, b) => b.chosen - a.chosen || b.created - a.created)[0];
    return next === undefined ? from : this.#endOf(next.id);
  }

  #wayTo(tip: string | null): string[] {
    return tip === null ? [] : [...this.#wayTo(this.parentOf(tip)), tip];
  }

  #lay(tip: string | null): void {
    const path = this.#wayTo(tip);
    for (const id of path) if (!this.path.includes(id)) this.#get(id).chosen = this.#now;
    this.path = path;
  }
}
