import { addProfile, setCurrent } from '../../../src/config/profile/edit.ts';
import { changeProfileFile } from '../../../src/config/profile/write.ts';

/*
 * Run as a separate process: `profile-writer.ts FILE create NAME` adds one profile and selects it;
 * `profile-writer.ts FILE loop` adds profiles until it is killed.
 */
const [path = '', what = '', name = ''] = process.argv.slice(2);

async function create(profile: string): Promise<void> {
  await changeProfileFile(path, async (file) => {
    const options = new Map([['user' as const, 'x'.repeat(200)]]);
    return await setCurrent(await addProfile(file, { name: profile, options }), profile);
  });
}

if (what === 'create') await create(name);
for (let i = 0; what === 'loop'; i += 1) {
  await create(`p${process.pid}-${i}`);
  process.stdout.write('.');
}
