import { synonymGroups } from './synonyms.ts'

/** What abbreviations in column and table names usually mean. One may have several meanings. */
export const abbreviations: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    fname: 'first name',
    firstname: 'first name',
    lname: 'last name',
    lastname: 'last name',
    surname: 'last name',
    forename: 'first name',
    mname: 'middle name',
    dob: 'date birth',
    birthdate: 'birth date',
    birthday: 'birth date',
    bdate: 'birth date',
    dept: 'department',
    emp: 'employee',
    mgr: 'manager',
    cust: 'customer',
    prod: 'product',
    prof: 'professor',
    stu: 'student',
    fac: 'faculty',
    crs: 'course',
    addr: 'address',
    tel: 'telephone',
    ph: 'phone',
    num: 'number',
    no: 'number',
    nbr: 'number',
    nr: 'number',
    qty: 'quantity',
    amt: 'amount',
    avg: 'average',
    max: 'maximum',
    min: 'minimum',
    pct: 'percent',
    yr: 'year',
    dt: 'date',
    ts: 'time',
    desc: 'description',
    descr: 'description',
    cat: 'category',
    loc: 'location',
    lat: 'latitude',
    long: 'longitude',
    lng: 'longitude',
    lon: 'longitude',
    temp: 'temperature',
    pos: 'position',
    pop: 'population',
    acct: 'account',
    bal: 'balance',
    org: 'organization',
    orig: 'origin',
    dest: 'destination',
    src: 'source',
    ref: 'reference',
    req: 'request',
    info: 'information',
    lang: 'language',
    ctry: 'country',
    st: 'state',
    msg: 'message',
    img: 'image',
    seq: 'sequence',
    std: 'standard',
    gen: 'general',
    mfr: 'manufacturer',
    manuf: 'manufacturer',
    wt: 'weight',
    ht: 'height',
    hs: 'high school',
    gpa: 'grade point average',
    ssn: 'social security number',
    sku: 'stock keeping unit',
    mpg: 'miles per gallon',
    eur: 'euro',
    usd: 'dollar',
    gnp: 'gross national product',
    gdp: 'gross domestic product',
    enr: 'enrollment',
    dec: 'decision',
    yn: 'yes no',
    id: 'id',
    pid: 'id',
    uid: 'user id',
    username: 'user name',
    hometown: 'home town',
    filename: 'file name',
    postcode: 'postal code',
    zipcode: 'zip code',
    zip: 'zip postal code',
    datetime: 'date time',
    timestamp: 'time',
  }).map(([short, long]) => [short, long.split(' ')]),
)

/** Words that are often joined in table and column names. */
const generalWords: ReadonlySet<string> = new Set([
  ...synonymGroups.flat(),
  ...abbreviations.keys(),
  ...'id code name number date type first last home high short long full main other total'.split(' '),
])

const minPartLength = 3

/**
 * Splits a joined word (`pettype`: pet, type), longest parts first, if all parts are in `vocabulary` or general
 * English; null if it is a word itself or cannot be split.
 */
export const splitCompound = (word: string, vocabulary: ReadonlySet<string>): readonly string[] | null => {
  if (word.length < 5 || generalWords.has(word) || !/^[a-z]+$/.test(word)) return null
  const known = (part: string): boolean =>
    part === 'id' || part === 'no'
      ? true
      : part.length >= minPartLength && (vocabulary.has(part) || generalWords.has(part))
  const cut = (rest: string, first: boolean): readonly string[] | null => {
    if (rest === '') return []
    for (let length = first ? rest.length - 1 : rest.length; length >= 2; length--) {
      const part = rest.slice(0, length)
      if (!known(part) || (first && length < minPartLength)) continue
      const others = cut(rest.slice(length), false)
      if (others) return [part, ...others]
    }
    return null
  }
  return cut(word, true)
}
