/** What has a number that is a name and no count: "the phone number of each guest". */
const numberedNouns = new Set(
  'phone telephone mobile cell fax contact serial account license licence passport policy contract invoice tracking registration room house flight card vat tax reference part batch'.split(
    ' ',
  ),
)

/** Whether "number of" counts nothing, and "no" denies nothing, because of the word before. Words are in lower case. */
export const isNumberAsName = (before: string | undefined, words: readonly string[]): boolean =>
  (words[0] === 'number' || words[0] === 'no') && before !== undefined && numberedNouns.has(before)
