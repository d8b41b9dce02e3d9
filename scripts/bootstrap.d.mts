type Packages = Record<string, { version?: string; dev?: boolean; optional?: boolean; link?: boolean }>;
export function isInstalled(everything: boolean, wanted?: Packages, present?: Packages): boolean;
export function pagesAreBuilt(): boolean;
export function reactRouter(): string;
export function fail(message: string): never;
