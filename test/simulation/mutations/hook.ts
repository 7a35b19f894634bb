import { registerHooks } from 'node:module';
import { isMutated, mutated } from './mutation.ts';
import { mutations } from './mutations.ts';

/** For `node --import`: puts the mutation that `WEIR_MUTATION` names into the sources as they are loaded. */
const mutation = mutations.find(({ name }) => name === process.env.WEIR_MUTATION);
if (mutation === undefined) throw new Error(`there is no mutation "${process.env.WEIR_MUTATION}"`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!isMutated(mutation, url)) return loaded;
    return { ...loaded, source: mutated(mutation, url, String(loaded.source)) };
  },
});
