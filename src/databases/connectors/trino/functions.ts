import { commonFunctions, functionNames } from '../standard-sql.ts'

/** Functions of Trino that only compute: no session, no network, no catalog, no table function. */
export const trinoFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `approx_distinct approx_percentile approx_most_frequent arbitrary array_agg avg bitwise_and_agg bitwise_or_agg
     bool_and bool_or checksum count_if entropy every geometric_mean histogram kurtosis listagg map_agg map_union
     max_by min_by multimap_agg numeric_histogram skewness sum approx_set merge cardinality`,
    `if try try_cast nullif typeof`,
    `cbrt cosine_similarity e from_base infinity is_finite is_infinite is_nan nan rand random to_base truncate
     width_bucket sinh cosh tanh bitwise_and bitwise_or bitwise_xor bitwise_not bit_count
     bitwise_left_shift bitwise_right_shift normal_cdf inverse_normal_cdf wilson_interval_lower
     wilson_interval_upper`,
    `chr codepoint concat_ws format format_number hamming_distance length levenshtein_distance lpad rpad normalize split
     split_part split_to_map starts_with strpos substr translate word_stem soundex repeat
     url_extract_fragment url_extract_host url_extract_parameter url_extract_path url_extract_port
     url_extract_protocol url_extract_query url_decode url_encode`,
    `regexp_count regexp_extract regexp_extract_all regexp_like regexp_position regexp_replace regexp_split`,
    `date now current_timezone date_trunc date_add date_diff date_format date_parse day day_of_month day_of_week
     day_of_year dow doy from_iso8601_date from_iso8601_timestamp from_unixtime format_datetime hour
     human_readable_seconds last_day_of_month millisecond minute month parse_datetime parse_duration quarter second
     timezone_hour timezone_minute to_iso8601 to_milliseconds to_unixtime week week_of_year with_timezone at_timezone
     year year_of_week yow`,
    `all_match any_match array_distinct array_except array_intersect array_join array_max array_min array_position
     array_remove array_sort array_union arrays_overlap combinations contains element_at filter flatten none_match reduce
     sequence shuffle slice transform trim_array zip zip_with unnest row array map map_concat map_entries map_filter
     map_from_entries map_keys map_values map_zip_with transform_keys transform_values`,
    `is_json_scalar json_array json_array_contains json_array_get json_array_length json_exists json_extract
     json_extract_scalar json_format json_object json_parse json_query json_size json_value`,
    `crc32 from_base64 from_hex md5 sha1 sha256 sha512 to_base64 to_hex to_utf8 from_utf8 xxhash64 uuid`,
    `st_area st_astext st_contains st_distance st_geometryfromtext st_intersects st_point st_x st_y st_within
     to_spherical_geography great_circle_distance`,
  ),
])
