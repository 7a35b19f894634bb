import manifest from '../package.json' with { type: 'json' };

/** The version of weir, as in its package. */
export const version: string = manifest.version;
