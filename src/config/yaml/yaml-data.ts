import { CliError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { configError } from '../layer.ts';
import { parseYaml, type YamlFile } from './file.ts';

/**
 * Reads YAML 1.2 (which includes JSON) as plain data. The number of aliases is limited, and keys become strings.
 * @throws CliError (exit 2) naming the file, and the line if it is not YAML, or if a key is not text or is there twice
 */
export async function readYamlData(name: string, text: string): Promise<unknown> {
  const file = await parseYaml(name, text);
  checkKeys(file);
  const { document } = file;
  try {
    // JSON.parse makes "__proto__" an ordinary key.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100, mapAsMap: false }) ?? null));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw configError(`unable to read ${name}: ${reason}`, { target: name, cause: error });
  }
}

/** Refuses a key that is not text, and one that is twice in a map: only one of the values would count, and the other would be lost silently. */
function checkKeys({ path, yaml, document, lineOf }: YamlFile): void {
  yaml.visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        const place = `${path}:${lineOf(key)}`;
        // An alias, a map or a list as a key could become the same text as another key.
        if (!yaml.isScalar(key))
          throw configError(`unable to read ${place}: a key must be plain text`, { target: path });
        const text = String(key.value ?? '');
        if (seen.has(text))
          throw configError(`unable to read ${place}: duplicate key "${excerpt(text)}"`, { target: path });
        seen.add(text);
      }
    },
  });
}
