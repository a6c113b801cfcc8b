/**
 * What people say to each other around a question, by what it does. A message of nothing else is small talk. Words that
 * questions begin with too ("no orders", "nice hotels") are read as small talk only where that is certain.
 */
const phrases = {
  greeting: [
    '(?:hi|hello|hey|hiya|howdy|yo|greetings|moin)(?: (?:there|all|everyone|everybody|team|folks|guys|bot|querent))?',
    'good (?:morning|afternoon|evening|night|day)',
    "how are you(?: doing)?(?: today)?|how(?: i|')s it going|what(?: i|')s up|sup|tell me a joke",
    'nice to meet you',
  ],
  thanks: [
    '(?:many |thanks? |ok(?:ay)? )?(?:thank (?:you|u|ya)|thanks?|thx|thnx|ty|tysm|tyvm|cheers|ta)(?! to\\b)(?: (?:all|everyone|everybody|team|folks|guys|bot|querent))?',
    '(?:much |really |greatly )*appreciated?(?: (?:it|that|this))?',
    "you(?:'re| are) (?:so |very )?(?:welcome|great|awesome|amazing|the best|a star|a lifesaver)",
  ],
  parting: [
    '(?:good)?bye(?: bye)?|see (?:you|ya)(?: (?:later|soon|around|tomorrow))?|take care|ttyl|talk (?:to you )?(?:later|soon)',
    'have a (?:good|nice|great|lovely) (?:day|one|evening|night|weekend)',
    "(?:that(?:'s| is| was| will be|'ll be) (?:it|all|everything)|nothing(?: else| more)?)(?: (?:for (?:now|today)|thanks?|i (?:need|needed)))*",
  ],
  agreement: [
    'okay dokey|ok(?:ay|ey|i|ie|ies)?|kk?|alright|all right|right|fine|sure(?: thing)?|of course|indeed|exactly|precisely',
    'y(?:es|ep|eah|up|ea)|aye|agreed|absolutely|definitely|correct|true|got it|gotcha|understood|noted|i see|roger(?: that)?|will do',
    '(?:that |it |this )?(?:makes sense|works(?: for me)?|sounds (?:good|great|right)|looks (?:good|great|right|fine|correct))|fair enough|good to know',
  ],
  disagreement: ['no (?:worries|problem|prob|biggie|thanks?|thank you|need)|no(?:pe)?|nah|not really|np'],
  praise: [
    "(?:(?:that|it|this)(?:'s| is| was| looks)? )?(?:(?:so|very|really|pretty|super|just) )*(?:cool|great|nice|awesome|perfect|excellent|brilliant|amazing|wonderful|fantastic|lovely|sweet|super|superb|neat|impressive|beautiful|splendid|helpful|useful|interesting|good|crazy|wild)",
    "(?:that|this|it)(?: really|'s really)? helps(?: (?:a lot|a bit|me|us|already))*",
    'well done|wow|(?:good|nice|great|excellent|amazing) (?:job|bot|stuff|work|one|find|catch)|love (?:it|this|that)|whoa|woohoo|yay|bravo',
  ],
  regret: [
    "(?:i'm |i am )?(?:so |very )?sorry(?: (?:about|for) (?:that|this|it|the (?:noise|confusion)))?|my (?:bad|mistake|fault)|apologies|oops|whoops|never ?mind|nvm|forget (?:it|that)",
  ],
  noise: ['lo+l|lmao|rofl|(?:ha)+h?|(?:he){2,}h?|h+m+|a+h+a?|o+h+|uh+|um+|huh|phew|meh'],
} as const

/** Words that belong to small talk next to them and mean nothing without it. */
const fillers =
  'so much|very much|a (?:lot|bunch|million|ton)|again|then|too|please|pls|well|bot|querent|everyone|everybody|team|folks|guys|mate|man|buddy|dude|for (?:that|this|it|now|today|helping|(?:(?:the|your|all the|all your) )?(?:quick |fast |great |detailed )*(?:help|answer|answers|reply|response|info|information|update|numbers))'

/** Emoji, as characters and as Slack writes them (`:tada:`), and mentions of people. */
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u200d\ufe0f]|:[a-z0-9_+'-]+:|<@[^>]*>/gu

/** Matches at a place of a text, up to the end of a word. One pattern at a time, so that no text takes long. */
const atPlace = (source: string): RegExp => new RegExp(`(?:${source})(?![\\p{L}\\p{N}'])`, 'uy')

const phrasePatterns = Object.values(phrases).flat().map(atPlace)

const fillerPattern = atPlace(fillers)

const gapPattern = /[^\p{L}\p{N}']+/uy

const lengthAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** The longest phrase that stands there; 0 if there is none. */
const phraseAt = (text: string, at: number): number =>
  Math.max(...phrasePatterns.map(pattern => lengthAt(pattern, text, at)))

/** Sets off small talk from what follows without punctuation: how a request or a change begins. */
const beginning = atPlace(
  'and|but|also|plus|now|then|only|just|instead|actually|by|per|top|bottom|as|in|for|with|without|since|from|sort|order|rank|group|split|break|filter|what|which|who|whom|whose|how|when|where|why|show|list|count|give|find|tell|get|plot|draw|make|compare|can|could|do|does|did|is|are|was|were|i mean|i meant|i want|i wanted|please|pls|the same|same',
)

/** Small talk that may go on with anything: no question about data begins like this. */
const certain = atPlace(`${phrases.thanks[0]}|sorry|ok|okay`)

const stopPattern = new RegExp(`(?: ?(?:${emoji.source}|[,.;:!?…)–—-]))+ ?`, 'uy')

const politePattern = /(?:please|pls)\b[ ,]*/y

const plain = (text: string): string => text.replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim()

/** A text with a space in place of each emoji and each mention. */
export const withoutEmoji = (text: string): string => text.replace(emoji, ' ')

/** Whether a message greets, thanks, agrees, laughs or is an emoji, and holds nothing else. */
export const isOnlySmallTalk = (text: string): boolean => {
  const words = withoutEmoji(plain(text.toLowerCase())).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  if (words === '') return text.search(emoji) >= 0
  let at = 0
  let phrasesRead = 0
  while (at < words.length) {
    const phrase = phraseAt(words, at)
    const length = Math.max(phrase, lengthAt(fillerPattern, words, at), lengthAt(joiner, words, at))
    if (length === 0) return false
    if (phrase > 0) phrasesRead += 1
    at += length
    at += lengthAt(gapPattern, words, at)
  }
  return phrasesRead > 0
}

const joiner = atPlace('and')

/**
 * A message without the small talk that it begins with, and whether that objected to something: "no, only Huskies" and
 * "sorry, I meant owners" do, "thanks, now by breed?" does not. Small talk alone stays as it is.
 */
export const stripSmallTalk = (text: string): { readonly text: string; readonly objects: boolean } => {
  if (isOnlySmallTalk(text)) return { text, objects: false }
  const whole = plain(text)
  const folded = whole.toLowerCase()
  // Folding that changes the length would cut in the wrong place.
  const from = folded.length === whole.length ? leadingLength(folded) : 0
  return { text: from === 0 ? text : whole.slice(from), objects: objection.test(folded.slice(0, from)) }
}

const hyphenated = /^-[\p{L}\p{N}]/u

/** How long the small talk is that a message begins with, as far as it is set off from what follows. */
const leadingLength = (text: string): number => {
  let end = lengthAt(stopPattern, text, 0)
  if (text.slice(0, end).search(emoji) < 0) end = 0
  for (let at = end; ; ) {
    const phrase = phraseAt(text, at)
    if (phrase === 0) return end
    const isCertain = lengthAt(certain, text, at) === phrase
    at += phrase
    // "No-shows", "hi-fi": one word, of which this is a part.
    if (hyphenated.test(text.slice(at, at + 2))) return end
    const filler = text[at] === ' ' ? lengthAt(fillerPattern, text, at + 1) : 0
    if (filler > 0) at += 1 + filler
    const stop = lengthAt(stopPattern, text, at)
    if (stop === 0 && text[at] !== ' ') return end
    const next = at + Math.max(stop, 1)
    if (stop > 0 || isCertain || lengthAt(beginning, text, next) > 0)
      end = next + lengthAt(politePattern, text, next)
    at = Math.max(next, end)
  }
}

const objection =
  /(?:^| )(?:no(?! (?:worries|problem|prob|biggie|thank|need))|nope|nah|sorry|oops|whoops|my (?:bad|mistake|fault)|apologies)\b/

const thanking = new RegExp(
  `(?:^|[^\\p{L}])(?:${[...phrases.thanks, ...phrases.praise].join('|')})(?![\\p{L}])`,
  'u',
)

const greetingPattern = new RegExp(`(?:^|[^\\p{L}])(?:${phrases.greeting.join('|')})(?![\\p{L}])`, 'u')

/** Whether small talk greets. */
export const isGreeting = (text: string): boolean => greetingPattern.test(plain(text.toLowerCase()))

/** Whether small talk thanks or praises. */
export const isThanks = (text: string): boolean => thanking.test(plain(text.toLowerCase()))
