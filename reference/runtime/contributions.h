// The two contributions: what an application binds to work with df64 or with bf16.
#pragma once

#include "support.h"

namespace plumbline {

// Declares df64 ("plumbline.df64.v1") and provides its arithmetic, QR, contraction, total and the
// directed conversions from and to f64, with their first-order rules.
outcome<void> contribute_df64(support& s);

// Declares bf16 ("plumbline.bf16.v1") and provides its arithmetic, the contraction in f32 and the
// directed conversions from and to f32. No rules.
outcome<void> contribute_bf16(support& s);

}  // namespace plumbline
