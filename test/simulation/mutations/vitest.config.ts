import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

/** Runs the tests with the mutation named in `WEIR_MUTATION`. Node.js reads the sources itself, so Vitest cannot change them. */
export default mergeConfig(base, { test: { execArgv: ['--import', new URL('hook.ts', import.meta.url).href] } });
