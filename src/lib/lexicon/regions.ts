import { foldText } from '../fold-text.ts'

/** A country or territory, as texts may name it. */
interface Region {
  /** Name, short name, ISO code and other names; the first is the usual one. */
  readonly names: readonly string[]
  /** What its people or its language are called. */
  readonly adjectives: readonly string[]
}

/** Common names beside Unicode's. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  US: ['USA', 'United States of America', 'America'],
  GB: ['UK', 'Great Britain', 'Britain'],
  KR: ['Korea', 'Republic of Korea'],
  RU: ['Russian Federation'],
  AE: ['UAE'],
  NL: ['Holland'],
  CZ: ['Czech Republic'],
  TR: ['Turkey'],
  CI: ['Ivory Coast'],
  MM: ['Burma'],
}

/** Adjectives that neither the language nor the country's name gives. */
const otherAdjectives: Readonly<Record<string, readonly string[]>> = {
  US: ['American'],
  GB: ['British'],
  CH: ['Swiss'],
  IE: ['Irish'],
  KR: ['Korean'],
  NO: ['Norwegian'],
  PH: ['Filipino'],
  PT: ['Portuguese'],
  AR: ['Argentine'],
}

/** Countries within a country, without a code of their own. */
const withoutCode: readonly Region[] = [
  { names: ['England'], adjectives: ['English'] },
  { names: ['Scotland'], adjectives: ['Scottish'] },
  { names: ['Wales'], adjectives: ['Welsh'] },
]

const letters = [...'abcdefghijklmnopqrstuvwxyz']

const pairs = letters.flatMap(first => letters.map(second => first + second))

/** Codes that are no country: groups of states, reserved codes, former states. */
const noCountry: ReadonlySet<string> = new Set(
  'EU EZ UN QO XA XB ZZ AN BU CS DD FX NT SU TP YD YU ZR NH RH VD YD UK'.split(' '),
)

const makeRegions = (): readonly Region[] => {
  const long = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const short = new Intl.DisplayNames('en', { type: 'region', fallback: 'none', style: 'short' })
  const languages = languagesByRegion()
  const withCode = pairs
    .map(pair => pair.toUpperCase())
    .filter(code => !noCountry.has(code))
    .flatMap(code => {
      const name = long.of(code)
      if (name === undefined) return []
      const names = [name, short.of(code) ?? name, code, ...(otherNames[code] ?? [])]
      return [
        {
          names: [...new Set(names)],
          adjectives: [...(otherAdjectives[code] ?? []), ...(languages.get(code) ?? [])],
        },
      ]
    })
  return [...withCode, ...withoutCode]
}

/** The language spoken mostly in a country, from Unicode's likely subtags, by region. */
const languagesByRegion = (): ReadonlyMap<string, readonly string[]> => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const found = new Map<string, readonly string[]>()
  for (const code of pairs) {
    const { region } = new Intl.Locale(code).maximize()
    if (region === undefined || new Intl.Locale(`und-${region}`).maximize().language !== code) continue
    const name = names.of(code)
    if (name !== undefined && code !== 'en' && !name.includes(' ')) found.set(region, [name])
  }
  return found
}

/** Endings that turn country names into adjectives: Austria-n, Canad-ian, Peru-vian, Chin-ese. */
const endings = 'n an ian ean ese lese nese ish i ic nian vian'.split(' ')

/** Endings that adjectives drop: Canad(a), Belg(ium), Swed(en). Finn- already is a language. */
const droppedEndings = ['', 'a', 'o', 'e', 'y', 'ia', 'ium', 'en', 'as', 'os', 'us', 'land']

const minStemLength = 4

const isAdjectiveOf = (word: string, name: string): boolean =>
  endings.some(ending => {
    if (!word.endsWith(ending)) return false
    const stem = word.slice(0, -ending.length)
    if (stem === name) return true
    return stem.length >= minStemLength && droppedEndings.some(end => name === stem + end)
  })

/** Adjectives a name may have with the usual endings; some of them do not exist. */
const likelyAdjectives = (name: string): readonly string[] => {
  if (/\s/.test(name)) return []
  if (name.endsWith('a')) return [`${name}n`, `${name.slice(0, -1)}ian`]
  if (/[eo]$/.test(name)) return [`${name}an`, `${name.slice(0, -1)}an`]
  if (name.endsWith('y')) return [`${name.slice(0, -1)}ian`, name.slice(0, -1)]
  return [`${name}ian`, `${name}i`, `${name}ese`]
}

let byText: ReadonlyMap<string, readonly Region[]> | null = null

let regions: readonly Region[] = []

const index = (): ReadonlyMap<string, readonly Region[]> => {
  if (byText) return byText
  regions = makeRegions()
  const map = new Map<string, Region[]>()
  for (const region of regions) {
    for (const text of [...region.names, ...region.adjectives]) {
      // Codes only count in capitals: `in`, `me` and `it` are words.
      const key = isCode(text) ? text : foldText(text)
      map.set(key, [...(map.get(key) ?? []), region])
    }
  }
  byText = map
  return map
}

const isCode = (text: string): boolean => /^[A-Z]{2}$/.test(text)

/**
 * Other names for the country a text names by name, code (`US`, in capitals), people or language: `French` gives
 * France, FR; `France` gives French, FR. Empty if it names none. Based on Unicode's region and language names, the
 * usual English endings, and the few names that neither covers.
 */
export const regionForms = (text: string): readonly string[] => {
  const known = index()
  const folded = foldText(text)
  const direct = [...(known.get(text) ?? []), ...(known.get(folded) ?? [])]
  const found = direct.length > 0 ? direct : byAdjective(folded)
  const forms = new Set(
    found.flatMap(({ names, adjectives }) => [
      ...names,
      ...adjectives,
      ...(names.some(name => name === text || foldText(name) === folded) &&
      !adjectives.some(adjective => adjective.slice(0, 3) === names[0]?.slice(0, 3))
        ? likelyAdjectives(names[0] ?? '')
        : []),
    ]),
  )
  return [...forms].filter(form => foldText(form) !== folded)
}

const byAdjective = (word: string): readonly Region[] =>
  /^[a-z]{5,}$/.test(word) && endings.some(ending => word.endsWith(ending))
    ? regions.filter(({ names }) => names.some(name => isAdjectiveOf(word, foldText(name))))
    : []

/** Postal abbreviations of the states and provinces of the United States, Canada and Australia. */
export const subdivisionCodes: ReadonlyMap<string, string> = new Map(
  `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
  DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas,
  KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi,
  MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York,
  NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island,
  SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington,
  WV West Virginia, WI Wisconsin, WY Wyoming, PR Puerto Rico, AB Alberta, BC British Columbia, MB Manitoba,
  NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia, NT Northwest Territories, NU Nunavut, ON Ontario,
  PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon, NSW New South Wales, QLD Queensland,
  TAS Tasmania, VIC Victoria`
    .split(/,\s+/)
    .map(entry => {
      const at = entry.indexOf(' ')
      return [entry.slice(0, at).trim(), entry.slice(at + 1)] as const
    }),
)
