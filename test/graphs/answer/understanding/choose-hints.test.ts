import { describe, expect, it } from 'vitest'
import { chooseHints } from '../../../../graphs/answer/understanding/choose-hints.ts'
import type { ValueMatch } from '../../../../src/domain/question-context.ts'
import { harborWords, matched } from './harbor-words.ts'

const chosen = (question: string, ...matches: readonly ValueMatch[]): readonly string[] =>
  chooseHints(matches, { question, catalog: harborWords }).map(({ kind, value }) => `${value} (${kind})`)

describe('the hints for a model', () => {
  it('say how like the words a value is, the best first', () => {
    expect(
      chosen(
        'grain to bergen harbor by women on the Nordlis',
        matched('Nordlis', 'ships.name', 'Nordlys', 0.68),
        matched('women', 'crew.gender', 'F', 0.89),
        matched('bergen', 'harbors.harbor', 'Bergen', 0.99),
        matched('grain', 'ships.cargo', 'Grains', 0.95),
      ),
    ).toEqual(['Bergen (exact)', 'Grains (respelled)', 'F (form)', 'Nordlys (similar)'])
  })

  it('are none for words that ask, compare, count or only tie together', () => {
    expect(
      chosen(
        'the first ships that belong to harbors with cargo greater than one different ship please',
        matched('greater', 'ships.cargo', 'Greater', 0.99),
        matched('greater', 'harbors.county', 'Gerater', 0.7),
        matched('different', 'ships.name', 'Different', 0.99),
        matched('first', 'crew.rating', '1', 0.97),
        matched('one', 'crew.rating', '1', 0.97),
        matched('belong', 'ships.name', 'Belong', 0.99),
        matched('please', 'ships.name', 'Please', 0.99),
      ),
    ).toEqual([])
  })

  it('have digits and larger numbers in words', () => {
    const two = matched('2', 'crew.rating', '2', 1)
    expect(chosen('crew with rating 2', two)).toEqual(['2 (exact)'])
    expect(chosen('two star ships', { ...two, keyword: 'two', score: 0.97 })).toEqual(['2 (respelled)'])
  })

  it('are none for words that are names of the schema, unless they are written like names', () => {
    const reported = matched('cargo', 'ships.name', 'Cargo', 0.99)
    expect(chosen('list the cargo', reported)).toEqual([])
    expect(chosen('ships called "cargo"', reported)).toEqual(['Cargo (exact)'])
    expect(chosen('where is the Cargo now', { ...reported, keyword: 'Cargo' })).toEqual(['Cargo (exact)'])
    expect(chosen('Cargo per ship', { ...reported, keyword: 'Cargo' })).toEqual([])
    // Only a word itself explains the same word, not one with the same stem.
    expect(chosen('which were shipping', matched('shipping', 'ships.cargo', 'shipping', 1))).toEqual([
      'shipping (exact)',
    ])
  })

  it('have plain words that a column of few kinds holds', () => {
    expect(chosen('ships in good state', matched('good', 'ships.state', 'good', 1))).toEqual(['good (exact)'])
    expect(chosen('good ships', matched('good', 'ships.name', 'good', 1))).toEqual([])
  })

  it('have similar texts only if they are very much alike', () => {
    const similar = (keyword: string, value: string, score: number) =>
      chosen(`where is ${keyword} kept`, matched(keyword, 'ships.cargo', value, score))
    expect(similar('tinder', 'Timber', 0.53)).toEqual([])
    expect(similar('timberr', 'Timber', 0.67)).toEqual(['Timber (similar)'])
    expect(similar('teak', 'TEA', 0.63)).toEqual([])
    expect(similar('failure', 'Fail', 0.5)).toEqual(['Fail (similar)'])
    expect(similar('nomination', 'Nominated', 0.55)).toEqual(['Nominated (similar)'])
    expect(similar('sheet metal', 'Sh. Met.', 0.5)).toEqual(['Sh. Met. (similar)'])
    expect(similar('metal of sheets', 'Metal', 0.66)).toEqual([])
  })

  it('have initials of names, not of any words', () => {
    const initials = (keyword: string) =>
      chosen(`ships of ${keyword}`, matched(keyword, 'ships.cargo', 'PB', 0.78))
    expect(initials('Port Bergen')).toEqual(['PB (similar)'])
    expect(initials('pure bread')).toEqual([])
  })

  it('leave out what a longer name explains, and what has a much better match', () => {
    const port = matched('Port of Bergen', 'harbors.harbor', 'Port of Bergen', 1)
    const town = matched('Bergen', 'harbors.county', 'Bergen', 1)
    const other = matched('Bergen', 'ships.name', 'Bergen Queen', 0.86)
    expect(chosen('ships at the Port of Bergen', port, town, other)).toEqual(['Port of Bergen (exact)'])
    expect(chosen('ships at Bergen', town, other)).toEqual(['Bergen (exact)'])
    expect(chosen('ships at Bergen', other)).toEqual(['Bergen Queen (similar)'])
    // The town is named once more, outside the name of the port.
    expect(chosen('from the Port of Bergen to Bergen', port, town)).toHaveLength(2)
    // The rest of the longer name may be the column.
    const county = matched('Vestland county', 'ships.name', 'Vestland County', 0.99)
    expect(
      chosen('ships of Vestland county', county, matched('Vestland', 'harbors.county', 'Vestland', 1)),
    ).toHaveLength(2)
  })

  it('have a similar text that holds more of the question than what matches exactly', () => {
    expect(
      chosen(
        'freight of Bergen Queen',
        matched('Bergen', 'harbors.harbor', 'Bergen', 1),
        matched('Bergen Queen', 'ships.name', 'Bergen Queen II', 0.9),
      ),
    ).toEqual(['Bergen (exact)', 'Bergen Queen II (similar)'])
  })

  it('have flags if the question says what they are flags for', () => {
    const flag = matched('chartered', 'ships.is_chartered', 'Y', 0.35)
    expect(chosen('chartered ones', flag)).toEqual(['Y (form)'])
    expect(chosen('all ships', { ...flag, keyword: 'ships' })).toEqual([])
  })

  describe('of personal columns', () => {
    const haugen = matched('haugen', 'crew.last_name', 'Haugen', 0.99)

    it('have what the question spells out', () => {
      expect(chosen('when did haugen sign on', haugen)).toEqual(['Haugen (exact)'])
    })

    it('have nothing that is only like it', () => {
      expect(
        chosen(
          'when did Haug sign on',
          matched('Haug', 'crew.last_name', 'Haugland', 0.8),
          matched('Haug', 'crew.last_name', 'Haugs', 0.95),
        ),
      ).toEqual([])
    })

    it('have nothing that a model thought of', () => {
      expect(chosen('when did the cook sign on', haugen)).toEqual([])
    })

    it('may be columns that the catalog does not have', () => {
      expect(chosen('who is Haug', matched('Haug', 'pay.name', 'Haug & Sons', 0.88))).toEqual([])
    })
  })
})
