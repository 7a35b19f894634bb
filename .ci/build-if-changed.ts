// Builds weir unless dist/ was built from the same sources: building takes six seconds of processor time.
import { isBuilt } from './sources.ts';

if (!isBuilt()) await import('./build.ts');
