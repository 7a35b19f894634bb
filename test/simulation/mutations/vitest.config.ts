import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { isMutated, mutated } from './mutation.ts';
import { mutations } from './mutations.ts';

const mutation = mutations.find(({ name }) => name === process.env.WEIR_MUTATION);

/** Runs the tests with the mutation named in `WEIR_MUTATION`. */
export default mergeConfig(base, {
  // What is kept between runs does not know which mutation it was made with.
  test: { fsModuleCache: false },
  plugins: [
    {
      name: 'mutation',
      enforce: 'pre',
      transform(text: string, path: string) {
        const file = path.split('?')[0] ?? path;
        return mutation === undefined || !isMutated(mutation, file) ? undefined : mutated(mutation, file, text);
      },
    },
  ],
});
