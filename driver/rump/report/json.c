/* What was found out about an expression, as JSON. The keys are a contract; new ones may come. */
#include "json.h"

#include "common/memory.h"
#include "rump/study/advice.h"
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A new string becomes JSON's; NULL is null. */
static json_t *own_string(char *text)
{
    json_t *string = text ? json_string(text) : json_null();
    free(text);
    return string;
}

static json_t *certified(const struct certificate *certificate)
{
    struct bounds bounds = words_bounds(certificate);
    return json_pack("{s:I, s:o, s:I, s:s, s:o, s:o}", "digits", (json_int_t)bounds.digits,
                     "value", own_string(decimal_text(certificate->value)),
                     "precision", (json_int_t)certificate->precision,
                     "method", certificate->from_fraction ? "fraction" : "evaluation",
                     "lower", own_string(bounds.lower), "upper", own_string(bounds.upper));
}

/* null where it is infinite. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *formats(const struct request *request, const struct study *study)
{
    json_t *array = json_array();
    for (size_t i = 0; i < study->rows; i++) {
        const struct row *row = study->row + i;
        double ulps = row->judgement.ulps;
        json_array_append_new(array, json_pack("{s:s, s:I, s:s, s:s*, s:s, s:s, s:I, s:o, s:s, s:s, s:s*}",
            "name", row->name, "precision", (json_int_t)row->format.precision,
            "rounding", request_rounding(row->rounding),
            "order", request->expression ? NULL : request->order->name, "value", row->value, "hex", row->hexadecimal,
            "correct_digits", (json_int_t)row->judgement.correct_digits,
            "ulps", number(ulps),
            "verdict", judge_verdict(row->judgement.verdict), "class", row->class, "cause", row->cause));
    }
    return array;
}

static json_t *step(const struct study *study, const struct step *step)
{
    if (!step)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "operation", own_string(words_operation(study, step)),
                     "name", own_string(expression_text(study->expression, step->node, false)),
                     "exponent", step->known || step->zero ? json_integer(step->exponent) : json_null(),
                     "bits_cancelled", step->cancels_all ? json_null() : json_integer(step->cancelled),
                     "cancels_all", step->cancels_all,
                     "bits_needed", step->needed ? json_integer(step->needed) : json_null(),
                     "condition", number(step->condition), "amplifies", number(step->amplifies));
}

static json_t *trace(const struct study *study)
{
    json_t *array = json_array();
    for (int i = 0; i < study->trace.count; i++)
        if (study->expression->node[study->trace.step[i].node].operands)
            json_array_append_new(array, step(study, study->trace.step + i));
    return array;
}

/* The wrong results that agree with each other. */
static json_t *agreeing(const struct study *study)
{
    json_t *array = json_array();
    bool *member = memory_calloc(study->rows, sizeof *member);
    study_agreement(study, member);
    for (size_t i = 0; i < study->rows; i++)
        if (member[i])
            json_array_append_new(array, json_string(study->row[i].name));
    free(member);
    return array;
}

json_t *display_json(const struct request *request, const struct study *study)
{
    json_t *object = json_pack("{s:i}", "version", 1);
    json_t *variables = json_object();
    for (size_t i = 0; i < request->inputs; i++) {
        const struct input *input = request->input + i;
        json_object_set_new(variables, input->name, json_string(input->text));
        if (!strcmp(input->name, "a") || !strcmp(input->name, "b"))
            json_object_set_new(object, input->name, json_string(input->text));
    }
    json_object_set_new(object, "variables", variables);
    json_object_set_new(object, "expression",
                        json_string(request->expression ? request->expression : request->order->text));
    json_object_set_new(object, "exact", own_string(words_fraction(study, true)));
    json_object_set_new(object, "certified", certified(&study->certificate));
    json_object_set_new(object, "formats", formats(request, study));
    json_object_set_new(object, "exact_from_precision",
                        study_proved_from(study) ? json_integer(study_proved_from(study)) : json_null());
    if (study->claim.precision)
        json_object_set_new(object, "proved", json_pack("{s:I, s:f}", "precision", (json_int_t)study->claim.precision,
                                                        "ulps_below", study->claim.ulps));
    json_object_set_new(object, "cancels", step(study, study->trace.cancels));
    json_object_set_new(object, "needs", step(study, study->claim.needs < 0 ? NULL : study->trace.step + study->claim.needs));
    json_object_set_new(object, "condition", number(study->trace.condition));
    json_object_set_new(object, "worst", step(study, study->trace.worst));
    json_object_set_new(object, "bits_lost", number(study->claim.lost));
    char *advice = advice_of(study->expression, &study->trace);
    json_object_set_new(object, "advice", own_string(advice));
    json_object_set_new(object, "agree_but_wrong", agreeing(study));
    if (request->trace)
        json_object_set_new(object, "trace", trace(study));
    if (request->from) {
        long from = study_right_from(study);
        json_object_set_new(object, "right_from_precision", from ? json_integer(from) : json_null());
    }
    return object;
}
