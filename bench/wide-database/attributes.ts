import type { Random } from '../../fixtures/warehouse/random.ts'

/** A cell of a generated table. Dates are texts of the form `YYYY-MM-DD`, moments `YYYY-MM-DD HH:MM:SS`. */
export type WideCell = string | number | boolean | null

/** Types of generated columns, in the words of Postgres. */
export type WideType = 'integer' | 'numeric' | 'text' | 'date' | 'timestamp' | 'boolean'

/** A column that nearly any table of a company may have. `{thing}` of the comment is what a row is. */
export interface Attribute {
  readonly name: string
  readonly type: WideType
  readonly comment: string
  readonly draw: (random: Random, row: number) => WideCell
}

const attribute = (
  name: string,
  type: WideType,
  comment: string,
  draw: (random: Random, row: number) => WideCell,
): Attribute => ({ name, type, comment, draw })

const two = (number: number): string => String(number).padStart(2, '0')

const day = (random: Random): string =>
  `${random.whole(2019, 2026)}-${two(random.whole(1, 12))}-${two(random.whole(1, 28))}`

const moment = (random: Random): string =>
  `${day(random)} ${two(random.whole(0, 23))}:${two(random.whole(0, 59))}:${two(random.whole(0, 59))}`

const oneOf =
  (words: string) =>
  (random: Random): string =>
    random.pick(words.split(' '))

const upTo =
  (most: number) =>
  (random: Random): number =>
    random.whole(0, most)

const money =
  (most: number) =>
  (random: Random): number =>
    random.whole(100, most * 100) / 100

const people =
  'Ada Bruno Chiara David Elif Farid Greta Hugo Ines Jonas Katja Liam Mira Noor Olga Pavel Rosa Selma Tomas Yara'
const families =
  'Albrecht Bianchi Castro Dahl Engel Fischer Garnier Horvat Ivanov Jensen Keller Larsen Moreau Novak Okafor Peters'
const cities =
  'Aarhus Bergen Bilbao Bologna Bremen Brno Cork Dresden Gdansk Ghent Graz Leeds Lille Lisbon Lyon Malaga Porto Split Turin Utrecht'
const countries = 'Austria Belgium Croatia Denmark France Germany Ireland Italy Norway Poland Portugal Spain'
const adjectives =
  'Amber Brisk Calm Dusty Early Fresh Grand Hidden Inner Jolly Keen Light Misty North Olive Plain Quiet Rapid Silver Tall'
const things =
  'Anchor Beacon Cedar Delta Ember Falcon Garnet Harbour Iris Juniper Kestrel Lantern Meadow Nimbus Orchard Pebble'

const person = (random: Random): string => `${oneOf(people)(random)} ${oneOf(families)(random)}`

/** What columns are made of. Every table draws its own from these, by a seed. */
export const attributes: readonly Attribute[] = [
  attribute(
    'name',
    'text',
    'What people call the {thing}.',
    random => `${oneOf(adjectives)(random)} ${oneOf(things)(random)}`,
  ),
  attribute(
    'code',
    'text',
    'Short code of the {thing}, printed on documents.',
    (random, row) => `${oneOf('AX BK CN DT EV FR')(random)}-${1000 + row}`,
  ),
  attribute('status', 'text', 'Where the {thing} stands.', oneOf('draft open approved closed cancelled')),
  attribute('priority', 'text', 'How urgent the {thing} is.', oneOf('low normal high urgent')),
  attribute('category', 'text', 'Kind of {thing}.', oneOf('standard premium internal seasonal trial')),
  attribute(
    'channel',
    'text',
    'Through which channel the {thing} came in.',
    oneOf('web phone counter partner mail'),
  ),
  attribute('city', 'text', 'City of the {thing}.', oneOf(cities)),
  attribute('country', 'text', 'Country of the {thing}, in English.', oneOf(countries)),
  attribute('region', 'text', 'Region that the {thing} is counted to.', oneOf('North South East West')),
  attribute('postal_code', 'text', 'Postal code.', random => String(random.whole(10_000, 99_999))),
  attribute(
    'street',
    'text',
    'Street and number.',
    random => `${oneOf(things)(random)} Street ${random.whole(1, 120)}`,
  ),
  attribute('contact_name', 'text', 'Who is responsible for the {thing} on the other side.', person),
  attribute(
    'contact_email',
    'text',
    'Where to write about the {thing}.',
    random => `${oneOf(people)(random).toLowerCase()}.${oneOf(families)(random).toLowerCase()}@example.com`,
  ),
  attribute(
    'phone',
    'text',
    'Phone number as typed.',
    random => `+49 ${random.whole(30, 99)} ${random.whole(100_000, 999_999)}`,
  ),
  attribute('created_by', 'text', 'Who entered the {thing}.', person),
  attribute('approved_by', 'text', 'Who approved the {thing}; null until somebody has.', random =>
    random.chance(0.3) ? null : person(random),
  ),
  attribute('remark', 'text', 'Free text about the {thing}.', random =>
    random.chance(0.5)
      ? null
      : `${oneOf(adjectives)(random)} ${oneOf(things)(random)} seen by ${person(random)}, to be checked`,
  ),
  attribute('currency', 'text', 'ISO code of the currency of the amounts.', oneOf('EUR USD GBP CHF NOK')),
  attribute('language', 'text', 'Language that the {thing} is handled in.', oneOf('de en fr it es pl')),
  attribute(
    'external_reference',
    'text',
    'Number of the {thing} in the system it came from.',
    (random, row) => `${random.whole(10, 99)}/${row}/${random.whole(1000, 9999)}`,
  ),
  attribute('created_at', 'timestamp', 'When the {thing} was entered.', moment),
  attribute('updated_at', 'timestamp', 'When the {thing} was last changed.', moment),
  attribute('started_on', 'date', 'First day of the {thing}.', day),
  attribute('ended_on', 'date', 'Last day of the {thing}; null while it goes on.', random =>
    random.chance(0.4) ? null : day(random),
  ),
  attribute('due_on', 'date', 'By when the {thing} has to be done.', day),
  attribute('approved_on', 'date', 'When the {thing} was approved.', random =>
    random.chance(0.3) ? null : day(random),
  ),
  attribute('cancelled_on', 'date', 'When the {thing} was cancelled; null if it was not.', random =>
    random.chance(0.9) ? null : day(random),
  ),
  attribute('valid_from', 'date', 'From when the {thing} counts.', day),
  attribute('valid_until', 'date', 'Until when the {thing} counts.', day),
  attribute('last_checked_at', 'timestamp', 'When somebody last looked at the {thing}.', moment),
  attribute('is_active', 'boolean', 'Whether the {thing} is in use.', random => random.chance(0.8)),
  attribute('is_internal', 'boolean', 'Whether the {thing} is for our own use.', random =>
    random.chance(0.2),
  ),
  attribute('is_verified', 'boolean', 'Whether somebody has checked the {thing}.', random =>
    random.chance(0.6),
  ),
  attribute('has_warranty', 'boolean', 'Whether a warranty covers the {thing}.', random =>
    random.chance(0.5),
  ),
  attribute('net_amount', 'numeric', 'Amount of the {thing} before tax.', money(9000)),
  attribute('gross_amount', 'numeric', 'Amount of the {thing} with tax.', money(11_000)),
  attribute('tax_amount', 'numeric', 'Tax of the {thing}.', money(2000)),
  attribute('unit_price', 'numeric', 'Price of one.', money(400)),
  attribute('discount_percent', 'numeric', 'Discount in percent; null for none.', random =>
    random.chance(0.6) ? null : random.whole(1, 40),
  ),
  attribute('cost', 'numeric', 'What the {thing} costs us.', money(5000)),
  attribute('budget_amount', 'numeric', 'What was planned for the {thing}.', money(20_000)),
  attribute('penalty_amount', 'numeric', 'What is due when the {thing} is late.', money(800)),
  attribute(
    'exchange_rate',
    'numeric',
    'Rate at which amounts were turned into euros.',
    random => random.whole(80, 130) / 100,
  ),
  attribute('quantity', 'integer', 'How many.', upTo(500)),
  attribute('reserved_quantity', 'integer', 'How many of them are promised.', upTo(100)),
  attribute('minimum_quantity', 'integer', 'Below this more is ordered.', upTo(50)),
  attribute('weight_kg', 'numeric', 'Weight in kilograms.', money(300)),
  attribute('length_cm', 'integer', 'Length in centimetres.', upTo(900)),
  attribute('volume_litres', 'integer', 'Volume in litres.', upTo(4000)),
  attribute(
    'temperature_celsius',
    'numeric',
    'Temperature when it was measured.',
    random => random.whole(-200, 900) / 10,
  ),
  attribute('duration_minutes', 'integer', 'How long the {thing} took.', upTo(600)),
  attribute('distance_km', 'numeric', 'Distance in kilometres.', money(900)),
  attribute('score', 'integer', 'How the {thing} was rated, from 0 to 100.', upTo(100)),
  attribute('error_count', 'integer', 'Errors that were found in the {thing}.', upTo(12)),
  attribute('attempt_count', 'integer', 'How often it was tried.', upTo(6)),
  attribute('visit_count', 'integer', 'Visits that the {thing} had.', upTo(2000)),
  attribute('headcount', 'integer', 'How many people work on the {thing}.', upTo(60)),
  attribute('capacity', 'integer', 'The most that the {thing} can take.', upTo(800)),
  attribute(
    'utilisation_percent',
    'numeric',
    'How far the {thing} is used, in percent.',
    random => random.whole(0, 1000) / 10,
  ),
  attribute('floor', 'integer', 'Floor on which it is.', upTo(9)),
  attribute('version_number', 'integer', 'Version of the {thing}.', upTo(20)),
  attribute('sort_order', 'integer', 'Place in lists.', (_, row) => row),
  attribute('colour', 'text', 'Colour of the {thing}.', oneOf('black white red blue green grey yellow')),
  attribute(
    'material',
    'text',
    'What the {thing} is made of.',
    oneOf('steel wood glass paper plastic copper'),
  ),
  attribute(
    'manufacturer',
    'text',
    'Who made the {thing}.',
    random => `${oneOf(families)(random)} ${oneOf('AG SA Ltd BV AB')(random)}`,
  ),
  attribute(
    'serial_number',
    'text',
    'Serial number of the {thing}.',
    (random, row) => `SN${String(row).padStart(5, '0')}${oneOf('A B C D')(random)}`,
  ),
  attribute('payment_method', 'text', 'How the {thing} is paid.', oneOf('card transfer cash invoice')),
  attribute(
    'cost_type',
    'text',
    'Kind of cost that the {thing} is booked as.',
    oneOf('fixed variable overhead one-off'),
  ),
  attribute(
    'weekday',
    'text',
    'Day of the week on which it happens.',
    oneOf('Monday Tuesday Wednesday Thursday Friday'),
  ),
  attribute('reason', 'text', 'Why, in a word.', oneOf('age damage demand request error law')),
  attribute('outcome', 'text', 'What came of the {thing}.', oneOf('accepted rejected pending withdrawn')),
  attribute('severity', 'text', 'How bad it is.', oneOf('minor major critical')),
]
