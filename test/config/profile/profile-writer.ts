import { addProfile, setCurrent } from '../../../src/config/profile/edit.ts';
import type { ProfileFile } from '../../../src/config/profile/file.ts';
import { changeProfileFile } from '../../../src/config/profile/write.ts';

/*
 * Run as a separate process: `profile-writer.ts FILE create NAME` adds one profile and selects it;
 * `profile-writer.ts FILE loop` adds profiles until it is killed.
 */
const [path = '', what = '', name = ''] = process.argv.slice(2);

/** However long it takes on a busy machine until it is this writer's turn. */
const lockWait = { signal: new AbortController().signal, patienceMs: Number.POSITIVE_INFINITY };

async function create(profile: string): Promise<void> {
  const add = async (file: ProfileFile): Promise<ProfileFile> => {
    const options = new Map([['user' as const, 'x'.repeat(200)]]);
    return await setCurrent(await addProfile(file, { name: profile, options }), profile);
  };
  await changeProfileFile(path, add, { lockWait });
}

if (what === 'create') await create(name);
for (let i = 0; what === 'loop'; i += 1) {
  await create(`p${process.pid}-${i}`);
  process.stdout.write('.');
}
