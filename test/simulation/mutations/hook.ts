import { registerHooks } from 'node:module';
import { isMutated, mutated } from './mutation.ts';
import { mutations } from './mutations.ts';

/** A hook for `node --import` that applies the mutation named in `WEIR_MUTATION` to sources as they are loaded. */
const mutation = mutations.find(({ name }) => name === process.env.WEIR_MUTATION);
if (mutation === undefined) throw new Error(`unknown mutation "${process.env.WEIR_MUTATION}"`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!isMutated(mutation, url)) return loaded;
    return { ...loaded, source: mutated(mutation, url, String(loaded.source)) };
  },
});
