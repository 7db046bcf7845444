// SPDX-License-Identifier: Apache-2.0
package ext4.orphan.template;

import ext4.api.orphan.OrphanList;
import ext4.api.orphan.OrphanPlace;
import ext4.api.orphan.OrphanStore;
import ext4.api.orphan.OrphanStrategy;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Service {@code template}. This class is all that OSGi sees of a strategy: a name, and a list for each filesystem that asks
 * for one. Immediate, so that its classes are loaded when the bundle starts and not in the middle of a switch.
 */
@Component(immediate = true, property = OrphanStrategy.NAME + "=template")
public final class TemplateOrphanStrategy implements OrphanStrategy {
    @Override
    public OrphanList attach(OrphanStore store, List<OrphanPlace> present) {
        return new TemplateOrphanList(store, present);
    }
}
