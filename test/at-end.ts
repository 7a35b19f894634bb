import { afterAll, afterEach } from 'vitest';

type Work = () => unknown;

const ofFile: Work[] = [];
const ofTest: Work[] = [];

/** Does something when the test file has ended, the last that was asked for first. */
export function atEndOfFile(work: Work): void {
  ofFile.push(work);
}

/** Does something when the running test has ended, the last that was asked for first. */
export function atEndOfTest(work: Work): void {
  ofTest.push(work);
}

async function end(works: Work[]): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works.splice(0).reverse()) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}

/**
 * Registers the ends of one test file. Workers are shared, and a hook at the top of a module that several files import
 * would be registered for the first of them only.
 */
export function registerEnds(): void {
  afterEach(() => end(ofTest));
  afterAll(() => end(ofFile));
}
