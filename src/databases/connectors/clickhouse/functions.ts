import { commonFunctions, functionNames } from '../standard-sql.ts'

/** Functions of ClickHouse that only compute. Names compare with case; the guard knows them in lower case. */
export const clickhouseFunctions: ReadonlySet<string> = new Set(
  [
    ...commonFunctions,
    ...functionNames(
      `any anyLast argMax argMin avgIf countIf sumIf minIf maxIf anyIf uniq uniqExact uniqIf uniqCombined uniqHLL12
       groupArray groupUniqArray median medianExact quantile quantileExact quantiles stddevPop stddevSamp varPop varSamp
       covarPop covarSamp corr skewPop kurtPop topK sumWithOverflow sumMap simpleLinearRegression entropy`,
      `if multiIf ifNull nullIf isNull isNotNull assumeNotNull toNullable isNaN isFinite isInfinite greatest least equals
       notEquals less greater lessOrEquals greaterOrEquals and or not xor in notIn plus minus multiply divide negate`,
      `intDiv intDivOrZero modulo moduloOrZero cbrt exp2 exp10 erf lgamma tgamma sign gcd lcm roundBankers roundToExp2
       floor ceil trunc`,
      `toInt8 toInt16 toInt32 toInt64 toUInt8 toUInt16 toUInt32 toUInt64 toFloat32 toFloat64 toDecimal32 toDecimal64
       toDecimal128 toString toFixedString toDate toDateOrNull toDate32 toDateTime toDateTimeOrNull toDateTime64 toUUID
       toInt32OrNull toInt64OrNull toFloat64OrNull toInt32OrZero toInt64OrZero toFloat64OrZero accurateCast
       accurateCastOrNull parseDateTimeBestEffort parseDateTimeBestEffortOrNull toTypeName`,
      `toYear toQuarter toMonth toDayOfYear toDayOfMonth toDayOfWeek toHour toMinute toSecond toUnixTimestamp
       toStartOfYear toStartOfQuarter toStartOfMonth toMonday toStartOfWeek toStartOfDay toStartOfHour toStartOfMinute
       toStartOfInterval toWeek toISOWeek toISOYear toYearWeek toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss toRelativeMonthNum
       toRelativeDayNum date_trunc dateTrunc date_diff dateDiff date_add date_sub addDays addWeeks addMonths addQuarters
       addYears addHours addMinutes addSeconds subtractDays subtractWeeks subtractMonths subtractQuarters subtractYears
       subtractHours formatDateTime monthName toTimeZone now today yesterday toIntervalDay toIntervalMonth toIntervalYear
       toIntervalWeek toIntervalQuarter toIntervalHour toIntervalMinute toIntervalSecond toLastDayOfMonth year month day
       hour minute second quarter`,
      `empty notEmpty lengthUTF8 lowerUTF8 upperUTF8 reverseUTF8 concat substringUTF8 startsWith endsWith trimLeft
       trimRight trimBoth splitByChar splitByString position positionUTF8 positionCaseInsensitive
       positionCaseInsensitiveUTF8 locate match extract extractAll replaceOne replaceAll replaceRegexpOne
       replaceRegexpAll format like notLike ilike hasToken leftPad rightPad leftUTF8 rightUTF8 initcap
       base64Encode base64Decode hex unhex char ascii translate`,
      `array arrayElement has hasAll hasAny indexOf countEqual arrayConcat arrayDistinct arrayEnumerate arrayUniq
       arrayJoin arrayMap arrayFilter arrayExists arrayAll arraySum arrayAvg arrayMin arrayMax arrayCount arraySort
       arrayReverseSort arrayReverse arraySlice arrayFirst arrayFirstIndex arrayStringConcat arrayZip length tuple
       tupleElement map mapKeys mapValues mapContains range`,
      `JSONExtract JSONExtractString JSONExtractInt JSONExtractFloat JSONExtractBool JSONExtractRaw JSONHas JSONLength
       JSONType isValidJSON visitParamExtractString visitParamExtractInt simpleJSONExtractString simpleJSONExtractInt`,
      `domain topLevelDomain protocol path cityHash64 sipHash64 xxHash64 MD5 SHA1 SHA256 halfMD5 geoDistance
       greatCircleDistance IPv4NumToString IPv4StringToNum rowNumberInAllBlocks runningDifference neighbor`,
    ),
  ].map(name => name.toLowerCase()),
)
