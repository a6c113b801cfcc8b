/**
 * One form for all names that some server might take for the same: whatever their case, accents and width, with the
 * letters that only look like others to Unicode (K, ſ, ı, ß), and without characters that nobody sees. It equates more
 * than any server does: names that differ here are different everywhere.
 *
 * @example
 * wideFold('PG_SHADOW') === wideFold('pg_ſhadow')
 */
export const wideFold = (name: string): string =>
  // Most names are plain.
  /^[\x21-\x7e]*$/.test(name)
    ? name.toLowerCase()
    : name
        .normalize('NFKD')
        .replace(/[\p{M}\p{Cf}\p{Cc}]/gu, '')
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ı', 'i')
        .trim()
