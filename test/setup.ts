import { registerEnds } from './at-end.ts';

// Vitest runs this before every test file.
registerEnds();
