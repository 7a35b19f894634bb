import manifest from '../package.json' with { type: 'json' };

/** The version of weir from package.json. */
export const version: string = manifest.version;

/** What weir is, in one sentence without a full stop. */
export const tagline: string = manifest.description;

/** Where the documentation is. */
export const homepage: string = manifest.homepage;

/** Where problems are reported. */
export const issues: string = manifest.bugs;
