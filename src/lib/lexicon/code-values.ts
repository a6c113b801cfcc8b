/** Words that databases like to keep as a letter or a digit, and how they are written then. */
export const codeValues: ReadonlyMap<string, readonly string[]> = new Map([
  ['female', ['f', 'female', 'w']],
  ['woman', ['f', 'female', 'w']],
  ['girl', ['f', 'female']],
  ['male', ['m', 'male']],
  ['man', ['m', 'male']],
  ['boy', ['m', 'male']],
  ['yes', ['y', 'yes', 't', 'true', '1']],
  ['true', ['t', 'true', 'y', 'yes', '1']],
  ['no', ['n', 'no', 'f', 'false', '0']],
  ['false', ['f', 'false', 'n', 'no', '0']],
])
