interface Node {
  id: string;
  parent: string | null;
  /** When it came on the path, counted in changes. */
  chosen: number;
  created: number;
  deletedAt: number | null;
  followers: string[];
  marker: string;
}

/** What a session's tree must look like after each change, computed in the plainest way. */
export class BranchOracle {
  readonly nodes = new Map<string, Node>();
  path: string[] = [];
  #now = 0;

  /** A new message, as a sibling of `again` or at the end of the path. */
  say(id: string, marker: string, again?: string): void {
    this.#now += 1;
    const parent = again === undefined ? (this.path.at(-1) ?? null) : (this.nodes.get(again)?.parent ?? null);
    const now = this.#now;
    this.nodes.set(id, { id, parent, chosen: now, created: now, deletedAt: null, followers: [], marker });
    this.#lay(id);
  }

  choose(id: string): void {
    this.#now += 1;
    if (!this.path.includes(id)) this.#lay(this.#endOf(id));
  }

  hide(id: string): void {
    this.#now += 1;
    const node = this.#get(id);
    const was = this.path.includes(id);
    const followers = [...this.nodes.values()].filter(({ parent }) => parent === id);
    const goesOn = followers.some((one) => this.path.includes(one.id));
    for (const one of followers) one.parent = node.parent;
    node.followers = followers.map((one) => one.id);
    node.deletedAt = this.#now;
    this.path = this.path.filter((one) => one !== id);
    if (was && !goesOn) this.#lay(this.#endOf(node.parent));
  }

  show(id: string): void {
    this.#now += 1;
    const node = this.#get(id);
    const deletedAt = node.deletedAt ?? 0;
    node.deletedAt = null;
    const back = node.followers.map((one) => this.#get(one)).filter(({ parent }) => parent === node.parent);
    for (const one of back) one.parent = id;
    node.followers = [];
    const next = back.find((one) => this.path.includes(one.id));
    if (next !== undefined) {
      node.chosen = this.#now;
      this.path.splice(this.path.indexOf(next.id), 0, id);
    } else if (!this.path.some((one) => this.#get(one).created > deletedAt)) this.#lay(this.#endOf(id));
  }

  /** The living exchanges, in the order in which they were said. */
  living = (): Node[] => [...this.nodes.values()].filter(({ deletedAt }) => deletedAt === null);
  hidden = (): Node[] => [...this.nodes.values()].filter(({ deletedAt }) => deletedAt !== null);
  /** The markers of what stands on the path. */
  markers = (): string[] => this.path.map((id) => this.#get(id).marker);

  /** The exchange was removed for good. */
  remove(id: string): void {
    this.nodes.delete(id);
    for (const node of this.nodes.values()) node.followers = node.followers.filter((one) => one !== id);
  }

  #get(id: string): Node {
    const node = this.nodes.get(id);
    if (node === undefined) throw new Error(`the oracle has no ${id}`);
    return node;
  }

  #endOf(from: string | null): string | null {
    const next = this.living()
      .filter(({ parent }) => parent === from)
      .toSorted((a, b) => b.chosen - a.chosen || b.created - a.created)[0];
    return next === undefined ? from : this.#endOf(next.id);
  }

  #lay(tip: string | null): void {
    const path: string[] = [];
    for (let at = tip; at !== null; at = this.#get(at).parent) path.unshift(at);
    for (const id of path) if (!this.path.includes(id)) this.#get(id).chosen = this.#now;
    this.path = path;
  }
}
