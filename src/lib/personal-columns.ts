import { splitName } from './fold-text.ts'
import { toSingular } from './stem-word.ts'

/** What a column has to tell to be recognized: its name, its kind (`text`, `date`, `integer` ...), and its profile. */
interface ColumnTraits {
  readonly name: string
  readonly kind: string
  /** Decides, if it is there. */
  readonly personal?: boolean
  readonly profile?: {
    readonly mostFrequent: readonly { readonly value: unknown }[]
    readonly samples?: readonly unknown[]
    readonly format?: { readonly pattern: string }
  } | null
}

interface TableTraits {
  readonly name: string
}

/**
 * Whether a column holds personal data: e-mail addresses, phone numbers, street addresses, names of private persons,
 * birth dates, national ids, bank details or passwords. It goes by the names of the column and its table in English,
 * German, French and Spanish, and by how the values are written. Names of people who are in the public eye, such as
 * artists and authors, do not count, unless the column says `first_name` or the like. A name or format that nobody
 * thought of is missed: lists of masked columns are the safeguard, this is the default.
 */
export const isPersonalColumn = (column: ColumnTraits, table: TableTraits): boolean =>
  column.personal ?? (isWrittenLikePersonal(column) || isNamedLikePersonal(column, table))

const isNamedLikePersonal = ({ name, kind }: ColumnTraits, table: TableTraits): boolean => {
  const words = splitName(name)
  const isText = kind === 'text' || kind === 'unknown'
  const isNumber = kind === 'integer' || kind === 'number'
  const isDay = kind === 'date' || kind === 'timestamp'
  if ((isText || isDay) && isBirthDate(words)) return true
  if ((isText || isNumber) && (isIdentifier(words) || isPhone(words))) return true
  return isText && (isEmail(words) || isStreet(words, table) || isPersonName(words, table) || isTaxId(words))
}

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const hasAny = (words: readonly string[], known: ReadonlySet<string>): boolean =>
  words.some(word => known.has(word))

/** What a word says is about the thing, not the thing itself: the type of a phone, whether an e-mail was verified. */
const aboutIt = wordSet(
  `type types kind status count counts model verified confirmed valid validated sent opened bounced subject template
  format flag opt optin consent preference preferences allowed enabled domain provider plan rate usage minutes typ art
  anzahl statut estado`,
)

const idWords = wordSet('id ids key fk pk code codes')

const typeWords = wordSet('type types kind')

const isAboutIt = (words: readonly string[]): boolean =>
  words.length > 1 && (aboutIt.has(words.at(-1) ?? '') || hasAny(words, typeWords))

const emailWords = wordSet(
  'email emails mail mails emailaddress mailaddress emailadresse mailadresse courriel correo emailid',
)

const isEmail = (words: readonly string[]): boolean =>
  hasAny(words, emailWords) && !isAboutIt(words) && !words.includes('server')

const phoneWords = wordSet(
  `phone phones telephone telephones tel phonenumber phoneno phonenum telephonenumber cellphone mobilephone mobileno
  mobilenumber fax faxnumber telefax telefon telefonnummer telefonnr handynummer mobilnummer rufnummer faxnummer
  telefono movil celular whatsapp`,
)

const mobileWords = wordSet('mobile cell handy mobil portable')

const numberWords = wordSet('number no num nr nummer numero')

const isPhone = (words: readonly string[]): boolean =>
  (hasAny(words, phoneWords) ||
    (hasAny(words, mobileWords) && (words.length === 1 || hasAny(words, numberWords))) ||
    (words.includes('contact') && hasAny(words, numberWords))) &&
  !isAboutIt(words) &&
  !hasAny(words, idWords)

const streetWords = wordSet(
  `street streets streetname streetaddress streetnumber strasse strassenname hausnummer anschrift rue calle domicilio
  domicile`,
)

const addressWords = wordSet('address addresses addr addresse adresse adressen direccion')

/** Addresses of machines and pages, and the parts of an address that many people share. */
const notStreets = wordSet(
  `web website url site mac memory wallet city town state county country zip zipcode postcode postal region province
  district stadt ort plz land bundesland ville pays ciudad pais provincia municipio`,
)

/** `line_1` and `building` say little, but not in a table of addresses. */
const addressLine = /^(?:(?:address|addr|adresse)?line\d?|building|apartment|apt|house|unit)$/

const isStreet = (words: readonly string[], { name }: TableTraits): boolean => {
  if (isAboutIt(words) || hasAny(words, idWords)) return false
  if (hasAny(words, streetWords)) return true
  if (hasAny(words, notStreets)) return false
  if (hasAny(words, addressWords) || words.some(word => /^(?:address|addr)\d*$/.test(word))) return true
  return hasAny(splitName(name), addressWords) && words.some(word => addressLine.test(word))
}

const nameWords = wordSet('name names fullname nom nombre')

const nameParts = wordSet(
  `firstname lastname middlename fullname givenname familyname maidenname surname surnames forename forenames fname
  lname mname username loginname vorname vornamen nachname nachnamen familienname zuname geburtsname benutzername prenom prenoms
  apellido apellidos`,
)

const partOfName = wordSet(
  'first last middle given family maiden personal sur fore second christian birth login f l m',
)

/** Kinds of private persons. What artists, authors or players are called is public. */
const persons = wordSet(
  `person individual customer cust client buyer shopper consumer user usr member subscriber employee emp staff worker
  colleague manager mgr contact student stu pupil teacher instructor professor lecturer patient doctor physician nurse
  guest visitor applicant candidate passenger tenant resident owner driver voter donor lead recipient sender payer payee
  borrower holder beneficiary spouse friend mother father guardian dependent attendee participant registrant volunteer
  representative rep adviser advisor supervisor reviewer respondent citizen prospect salesperson technician
  kunde kunden kundin mitarbeiter mitarbeiterin benutzer nutzer mitglied mitglieder angestellte angestellter schuler
  lehrer gast gaste bewerber ansprechpartner besitzer mieter fahrer personen patienten studenten empfanger absender
  cliente utilisateur employe salarie eleve etudiant adherent membre personne locataire proprietaire stagiaire
  usuario empleado persona alumno estudiante paciente miembro contacto propietario inquilino huesped empleada`,
)

const otherNames = /\bnom de (?:famille|naissance)\b|\bnombre completo\b/

const isPerson = (word: string): boolean => persons.has(word) || persons.has(toSingular(word))

/** Words after which a table is about the same thing: `customer_details` is about customers. */
const tableEndings = wordSet(
  'detail details info profile profiles data master table dim list record records tbl',
)

const isTableOfPersons = ({ name }: TableTraits): boolean => {
  const words = [...splitName(name)].filter(word => !/^\d+$/.test(word))
  while (words.length > 1 && tableEndings.has(words.at(-1) ?? '')) words.pop()
  return isPerson(words.at(-1) ?? '')
}

const isPersonName = (words: readonly string[], table: TableTraits): boolean => {
  if (isAboutIt(words) || hasAny(words, idWords)) return false
  if (hasAny(words, nameParts)) return true
  if (!hasAny(words, nameWords)) return false
  if (otherNames.test(words.join(' '))) return true
  const at = words.findIndex(word => nameWords.has(word))
  const before = words[at - 1] === 'full' ? words[at - 2] : words[at - 1]
  if (before === undefined) return words.length === at + 1 && (at > 0 || isTableOfPersons(table))
  return partOfName.has(before) || isPerson(before)
}

const birthWords = wordSet(
  'birth birthday birthdate birthdates dob born dateofbirth geburtsdatum geburtstag naissance nacimiento',
)

const notDays = wordSet(
  `place city town country state rate weight order year hospital name county number control certificate ort lieu ville
  pays lugar ciudad pais`,
)

const isBirthDate = (words: readonly string[]): boolean =>
  hasAny(words, birthWords) && !hasAny(words, notDays)

const identifierWords = wordSet(
  `ssn essn socialsecuritynumber socialsecurity passport passportnumber passportno nationalid nationalidnumber nino nif dni
  nie cpf curp rfc aadhaar aadhar taxid taxnumber steuernummer steuerid sozialversicherungsnummer personalausweis
  ausweisnummer reisepass reisepassnummer passeport pasaporte cedula iban cvv creditcard creditcardnumber
  kontonummer kreditkarte kreditkartennummer password passwords passwd pwd passwordhash passwort kennwort contrasena
  motdepasse`,
)

/** Words that name an identifier side by side. */
const identifierPairs: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['social', wordSet('security insurance')],
  ['national', wordSet('id identity identifier insurance')],
  ['identity', wordSet('card document number')],
  ['id', wordSet('card')],
  ['driver', wordSet('license licence')],
  ['drivers', wordSet('license licence')],
  ['credit', wordSet('card')],
  ['debit', wordSet('card')],
  ['bank', wordSet('account')],
  ['steuer', wordSet('id nr nummer')],
  ['securite', wordSet('sociale')],
  ['seguridad', wordSet('social')],
])

const isIdentifier = (words: readonly string[]): boolean =>
  !isAboutIt(words) &&
  (hasAny(words, identifierWords) ||
    words.some((word, at) => identifierPairs.get(word)?.has(words[at + 1] ?? '') === true))

const taxNumberWords = wordSet('id no number num identifier')

/** A tax id as text: as a number it is more likely the key of a tax. */
const isTaxId = (words: readonly string[]): boolean =>
  words.some(
    (word, at) =>
      word === 'tax' &&
      taxNumberWords.has(words[at + 1] ?? '') &&
      (at === 0 || isPerson(words[at - 1] ?? '')),
  )

/** So many of a column's values have to be written alike. */
const MOST_OF_THEM = 0.8

const emailAddress = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i

/** `+49 30 1234567`, `(030) 123-4567`, `555-123-4567`; an extension may follow. */
const phoneNumber =
  /^(?:\+\d[\d\s().-]{6,}|\(\d{2,5}\)[\d\s.-]{6,}|\d{3}[-.]\d{3}[-.]\d{4})(?:\s*(?:x|ext\.?)\s*\d+)?$/

const nationalId = /^\d{3}-\d{2}-\d{4}$/

const personalFormats: readonly ((text: string) => boolean)[] = [
  text => emailAddress.test(text),
  text => phoneNumber.test(text),
  text => nationalId.test(text),
  text => isIban(text.replaceAll(' ', '')),
]

/** Whether a text is an IBAN with the right check digits: letters count from 10, and the rest by 97 is 1. */
const isIban = (text: string): boolean => {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  const digits = `${text.slice(4)}${text.slice(0, 4)}`.replace(/[A-Z]/g, letter =>
    String(parseInt(letter, 36)),
  )
  return BigInt(digits) % 97n === 1n
}

/** Formats as profiles write them, for columns of which no values are kept. */
const personalPatterns = [
  /^[\w.+]*a\+?[\w.+]*@/,
  /^(?:\+9|\(9)[9+() .-]{4,}$/,
  /^999[-.]999[-.]9999$/,
  /^999-99-9999$/,
]

const isWrittenLikePersonal = ({ profile }: ColumnTraits): boolean => {
  if (!profile) return false
  const { format, mostFrequent, samples = [] } = profile
  if (format && personalPatterns.some(pattern => pattern.test(format.pattern))) return true
  const texts = [...mostFrequent.map(({ value }) => value), ...samples].filter(
    value => typeof value === 'string' && value !== '',
  )
  const written = [...new Set(texts)].map(String)
  return personalFormats.some(
    isOne => written.length > 0 && written.filter(isOne).length >= written.length * MOST_OF_THEM,
  )
}
