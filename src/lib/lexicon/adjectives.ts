/**
 * An adjective of measurement: `older` means more of a column like `more` (age), or less of one like `less` (birth
 * date). If neither exists, the question must name the column ("the longest duration").
 */
export interface Adjective {
  readonly forms: { readonly base: string; readonly comparative: string; readonly superlative: string }
  readonly more: readonly string[]
  readonly less: readonly string[]
}

const moments = 'date year time founded found built construct open opening start begin release join establish'

/** base comparative superlative | columns with more of it | columns with less of it. Several words of one form: a+b. */
export const adjectives: readonly Adjective[] = `
old older oldest | age | birth birthday ${moments}
young younger youngest | birth birthday | age
new newer newest | ${moments} |
recent more+recent most+recent | ${moments} |
late later latest | ${moments} |
early earlier earliest | | ${moments}
heavy heavier heaviest | weight mass |
light lighter lightest | | weight mass
tall taller tallest | height elevation altitude |
high higher highest | height elevation altitude |
short shorter shortest | | height length duration time
long longer longest | length duration distance page time |
lengthy lengthier lengthiest | length duration time |
large larger largest | area size population capacity square enrollment |
big bigger biggest | area size population capacity square |
huge huger hugest | area size population capacity |
great greater greatest | |
small smaller smallest | | area size population capacity square enrollment
tiny tinier tiniest | | area size population
low lower lowest | | elevation altitude
expensive more+expensive most+expensive | price cost fee charge fare rate amount |
costly costlier costliest | price cost fee charge amount |
pricey pricier priciest | price cost |
cheap cheaper cheapest | | price cost fee charge fare rate amount
fast faster fastest | speed velocity | time lap
quick quicker quickest | speed velocity | time duration
slow slower slowest | time | speed velocity
rich richer richest | worth wealth money fortune income salary asset value |
wealthy wealthier wealthiest | worth wealth money fortune income salary asset |
poor poorer poorest | | worth wealth money income salary
good better best | rating score point grade mark | rank ranking position
bad worse worst | rank ranking position | rating score point grade mark
wide wider widest | width |
narrow narrower narrowest | | width
deep deeper deepest | depth |
shallow shallower shallowest | | depth
hot hotter hottest | temperature |
warm warmer warmest | temperature |
cold colder coldest | | temperature
near nearer nearest | | distance
close closer closest | | distance
far farther farthest | distance |
strong stronger strongest | power strength |
powerful more+powerful most+powerful | power strength horsepower |
populous more+populous most+populous | population |
populated more+populated most+populated | population |
senior more+senior most+senior | age experience year |
experienced more+experienced most+experienced | experience year work |
- - first | | date time year founded begin
- - last | date time year |
- - most+recently | ${moments} |
- - least+recently | | ${moments}
- - longest-serving | experience | hire hired join joined start started
- - best+paid | salary wage pay |
- - highest+paid | salary wage pay |
- - lowest+paid | | salary wage pay
well better best+rated | rating score point |
highly higher highest+rated | rating score point |
lowly lower lowest+rated | | rating score point
`
  .trim()
  .split('\n')
  .map(line => {
    const [forms = '', more = '', less = ''] = line.split('|')
    const [base = '', comparative = '', superlative = ''] = forms
      .trim()
      .split(' ')
      .map(form => (form === '-' ? '' : form.replaceAll('+', ' ')))
    return { forms: { base, comparative, superlative }, more: words(more), less: words(less) }
  })

function words(list: string): readonly string[] {
  return list.trim().split(/\s+/).filter(Boolean)
}
