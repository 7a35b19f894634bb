import fc from 'fast-check';

/** The code points before the surrogates, which are no characters, and how many surrogates there are. */
const [before, surrogates] = [0xd800, 0x800];

/**
 * Any character, as the unit `binary` of fast-check. That one makes a table of all million characters to find out whether
 * a text consists of them.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - surrogates }).map(
  (at) => String.fromCodePoint(at < before ? at : at + surrogates),
  (text) => {
    const at = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (at === undefined || text !== String.fromCodePoint(at)) throw new Error('not a character');
    if (at < before) return at;
    if (at < before + surrogates) throw new Error('half of a character');
    return at - surrogates;
  },
);
