import { CliError } from '../../errors.ts';
import { configError } from '../resolve/layer.ts';
import { parseYaml } from './file.ts';

/**
 * Reads YAML 1.2 (which includes JSON) as plain data. The number of aliases is limited, and keys become strings.
 * @throws CliError (exit 2) naming the file, and the line if it is not YAML
 */
export async function readYamlData(name: string, text: string): Promise<unknown> {
  const { document } = await parseYaml(name, text);
  try {
    // JSON.parse makes "__proto__" an ordinary key.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100, mapAsMap: false }) ?? null));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw configError(`unable to read ${name}: ${reason}`, { target: name, cause: error });
  }
}
