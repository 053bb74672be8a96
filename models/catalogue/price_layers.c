/* SPDX-License-Identifier: GPL-3.0-or-later
 * See price_layers.h. */
#include "models/catalogue/price_layers.h"

#include "models/catalogue/catalogue_input.h"
#include "models/catalogue/price_layer_file.h"

bool price_layer_read(struct catalogue *c, uint32_t layer, struct diagnostics *d)
{
    struct catalogue_input in = {
        .catalogue = c, .diagnostics = d, .shown_name = c->layers[layer], .layer = layer};
    if (!input_open(&in, in.shown_name, NULL)) {
        return input_close(&in);
    }
    return storage_prices_are_in(&in) ? storage_prices_read_layer(&in) : price_layer_file_read(&in);
}
